"""The command line of a test program: what CMake tells it, and unittest's own arguments.

    OPTIONS = options.parse(__doc__, build=pathlib.Path, cmake="cmake")
    ...
    if __name__ == "__main__":
        unittest.main(argv=OPTIONS.for_unittest)
"""
import argparse
import sys


def parse(documentation, **options):
    """An option is given by its type, if it must be there, or by its default."""
    parser = argparse.ArgumentParser(description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, option in options.items():
        if isinstance(option, type):
            parser.add_argument(f"--{name}", type=option, required=True)
        else:
            parser.add_argument(f"--{name}", type=type(option), default=option)
    parsed, rest = parser.parse_known_args()
    parsed.for_unittest = [sys.argv[0], *rest]
    return parsed
