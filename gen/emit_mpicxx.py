"""include/antiphon/mpicxx/classes.h: the classes, functions and constants of the C++ binding of MPI-2.2, over mpi.h.
What they call in `detail` is written by hand, in bindings/mpicxx."""

from __future__ import annotations

from cxx_binding import Binding, Class, CxxParameter, Function
from model import ConstantGroup, Interface, Parameter
from text import NOTICE, wrapped_call

_NUMBERS = ("macro", "int", "MPI_Offset")
_ADDRESSES = {"void*": "void*", "int*": "int*", "char**": "const char**", "char***": "const char***"}
_C_ONLY = ("MPI_T_", "MPI_F_", "MPIX_", "MPI_SEEK_")
_SEEK_GROUP = "file_positions"


def emit(interface: Interface, binding: Binding) -> str:
    """`binding` without what the library has not."""
    has_seek = any(function.procedure.name == "MPI_File_seek" for function in binding.functions())
    parts = [
        "// The classes, functions and constants of the C++ binding of MPI-2.2. They mean what the C procedures mean.\n"
        f"// {NOTICE}\n#pragma once",
        '#include <antiphon/mpicxx/detail.h>' + ("\n#include <antiphon/mpicxx/seek.h>" if has_seek else ""),
        "namespace MPI {",
        *(_class(one, binding) for one in binding.classes),
        "\n".join(_declaration(function) for function in binding.free),
        _constants(interface, binding, has_seek),
        "}  // namespace MPI",
        "#include <antiphon/mpicxx/callbacks.h>",
        "namespace MPI {",
        *(_definition(function, binding) for function in binding.functions()),
        "}  // namespace MPI",
    ]
    return "\n\n".join(parts) + "\n"


def _class(one: Class, binding: Binding) -> str:
    base = one.base or f"detail::Holds<{one.c}>"
    lines = [f"class {one.name} : public {base} {{", " public:"]
    lines += [f"  {_wrapped(text)};" for text in one.types]
    is_root_of_communicators = any(other.base == one.name and other.clone for other in binding.classes) and not one.base
    lines.append(f"  {one.name}() : {_base_name(one)}({one.null}) {{}}")
    lines.append(f"  {one.name}({one.c} native) : {_base_name(one)}(native) {{}}")
    if one.clone and one.name != "Nullcomm":
        lines.append(f"  {one.name}(const Nullcomm&) : {_base_name(one)}({one.null}) {{}}")
    if is_root_of_communicators:
        lines += [f"  virtual ~{one.name}() {{}}", f"  virtual {one.name}& Clone() const = 0;"]
    if one.clone:
        lines.append(f"  {one.name}& Clone() const override {{ {one.clone} }}")
    lines += ["  " + _declaration(function).replace("\n", "\n  ") for function in one.functions]
    if "Copy_attr_function" in " ".join(one.types):
        lines += _ready_made_attribute_functions(one.name)
    return "\n".join([*lines, "};"])


def _wrapped(declaration: str) -> str:
    head, _, arguments = declaration.rstrip(")").partition("(")
    return wrapped_call(head, arguments.split(", "), "").replace("\n", "\n  ") if arguments else declaration


def _base_name(one: Class) -> str:
    return one.base or "Holds"


def _ready_made_attribute_functions(name: str) -> list[str]:
    copy = f"(const {name}&, int, void*, void* attribute_val_in, void* attribute_val_out, bool& flag)"
    return [
        f"  static int NULL_COPY_FN(const {name}&, int, void*, void*, void*, bool& flag) {{",
        "    flag = false;",
        "    return MPI_SUCCESS;",
        "  }",
        f"  static int DUP_FN{copy} {{",
        "    *static_cast<void**>(attribute_val_out) = attribute_val_in;",
        "    flag = true;",
        "    return MPI_SUCCESS;",
        "  }",
        f"  static int NULL_DELETE_FN({name}&, int, void*, void*) {{ return MPI_SUCCESS; }}",
    ]


def _declaration(function: Function) -> str:
    static = "static " if function.is_static else "" if function.owner else "inline "
    return wrapped_call(
        f"{static}{function.returns} {function.name}", function.argument_list(), function.suffix() + ";"
    )


def _constants(interface: Interface, binding: Binding, has_seek: bool) -> str:
    root_classes = {one.c: one.name for one in binding.classes if not one.base}
    lines = []
    for group in interface.constant_groups:
        lines += _group(group, binding, root_classes, has_seek)
    return "\n".join(lines + [f"const int {_name(error.name, binding)} = {error.name};" for error in interface.errors])


def _group(group: ConstantGroup, binding: Binding, root_classes: dict[str, str], has_seek: bool) -> list[str]:
    lines = []
    for constant in group.constants:
        if constant.name.startswith(_C_ONLY) and not (has_seek and constant.name.startswith("MPI_SEEK_")):
            continue
        name = _name(constant.name, binding)
        if group.c_type in _NUMBERS:
            lines.append(f"const {group.c_type.replace('macro', 'int').replace('MPI_', '')} {name} = {constant.name};")
        elif group.c_type in _ADDRESSES:
            c_type = _ADDRESSES[group.c_type]
            lines.append(f"{c_type} const {name} = const_cast<{c_type}>({constant.name});")
        elif constant.name in binding.constant_classes:  # not const: a program may give it a name or an error handler
            lines.append(f"static {binding.constant_classes[constant.name]} {name}({constant.name});")
        elif group.c_type in root_classes:
            lines.append(f"const {root_classes[group.c_type]} {name}({constant.name});")
    return lines


def _name(c_name: str, binding: Binding) -> str:
    return binding.names.get(c_name, c_name.removeprefix("MPI_"))


def _definition(function: Function, binding: Binding) -> str:
    scope = f"{function.owner}::" if function.owner else ""
    head = wrapped_call(
        f"inline {function.returns} {scope}{function.name}", function.argument_list(), function.suffix() + " {"
    )
    body = [function.body] if function.body else _body(function, {one.name: one for one in binding.classes})
    return "\n".join([head, *("  " + line for line in body), "}"])


def _body(function: Function, classes: dict[str, Class]) -> list[str]:
    """The call, with what must be prepared before it and looked at after it."""
    procedure, before, arguments, after = function.procedure, [], [], []
    given = {parameter.name: parameter for parameter in function.parameters}
    own = _own_parameter(function, classes, given)
    for parameter in procedure.c_parameters(large=False):
        name = parameter.name
        if name in given:
            arguments.append(_argument(given[name], parameter, function, classes, before, after))
        elif name in function.given:
            arguments.append(function.given[name])
        elif parameter is own:
            arguments.append(_own_argument(parameter, function, before))
        elif parameter.kind.name == "STATUS":
            arguments.append("MPI_STATUSES_IGNORE" if name.endswith("es") else "MPI_STATUS_IGNORE")
        else:
            before.append(_result(parameter, classes, function))
            arguments.append(f"&{name}")
            after.append(f"return {name}{' != 0' if function.returns == 'bool' else ''};")
    if not procedure.error_code:
        return [f"return {procedure.name}({', '.join(arguments)});"]
    call = wrapped_call(f"detail::check({procedure.name}", arguments, ");").replace("\n", "\n  ")
    return [*before, call, *after]


def _own_parameter(function: Function, classes: dict[str, Class], given: dict[str, CxxParameter]) -> Parameter | None:
    """The parameter of the C procedure that is the object itself."""
    if not function.owner or function.is_static:
        return None
    c = classes[function.owner].c
    own = [p for p in function.procedure.parameters if p.name not in given and p.c_type(False).rstrip("*") == c]
    return own[0]


def _own_argument(parameter: Parameter, function: Function, before: list[str]) -> str:
    if not parameter.c_type(large=False).endswith("*"):
        return "native_"
    if function.is_const and not parameter.const:  # C takes its address, and leaves it as it is
        before.append(f"{parameter.c_type(large=False).rstrip('*')} {parameter.name} = native_;")
        return f"&{parameter.name}"
    return "&native_"


def _argument(given: CxxParameter, parameter: Parameter, function: Function, classes: dict[str, Class],
              before: list[str], after: list[str]) -> str:
    name, is_reference, is_const = given.name, given.type.endswith("&"), given.type.startswith("const ")
    if given.class_name() == "bool" and given.array:
        return _flags(given, parameter, function, before, after)
    if given.class_name() == "bool" and is_reference:
        before.append(f"int {name}_in_c = 0;")
        after.append(f"{name} = {name}_in_c != 0;")
        return f"&{name}_in_c"
    if given.class_name() in classes and given.array:
        return f"detail::in_c({name})"
    if given.class_name() in classes and is_reference and not is_const:
        return f"detail::in_c(&{name})"
    if is_reference and not is_const:
        return f"&{name}"
    if is_const and ("*" in given.type or given.array) and not parameter.const:
        c_type = "int (*)[3]" if given.array == "[][3]" else parameter.c_type(False) + ("*" if given.array else "")
        return f"const_cast<{c_type}>({name})"
    return name


def _flags(given: CxxParameter, parameter: Parameter, function: Function, before: list[str], after: list[str]) -> str:
    """bool[] in C++, int[] in C."""
    name, length = given.name, function.lengths.get(given.name, parameter.length)
    if given.type.startswith("const "):
        return f"detail::Flags({name}, {length}).in_c()"
    before.append(f"detail::Flags {name}_in_c({length});")
    after.append(f"{name}_in_c.copy_to({name});")
    return f"{name}_in_c.in_c()"


def _result(parameter: Parameter, classes: dict[str, Class], function: Function) -> str:
    """What the C procedure stores and the C++ function returns; it holds something even after an ignored error."""
    if function.returns in classes:
        return f"{classes[function.returns].c} {parameter.name} = {classes[function.returns].null};"
    if function.returns == "void*":
        return f"void* {parameter.name} = nullptr;"
    return f"{'int' if function.returns == 'bool' else function.returns} {parameter.name} = 0;"
