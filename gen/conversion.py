"""How one C argument becomes one argument of a body: the type a body declares, and what an entry point does around
the call. The only place that knows this, so that declarations and entry points cannot drift apart."""

from __future__ import annotations

from dataclasses import dataclass

from model import Parameter

_SAME_WIDTH = ("MPI_Aint", "MPI_Count")


@dataclass(frozen=True)
class Conversion:
    declaration: str  # in the body's signature
    argument: str  # the expression an entry passes
    before: str = ""  # the statement that prepares it
    after: str = ""  # the statement that stores its result
    first: bool = False  # `before` finds the error handler that is responsible, so it comes first


def convert(parameter: Parameter, large: bool) -> Conversion | None:
    """None where a body has no such parameter: C's variable arguments."""
    if parameter.is_variadic():
        return None
    if parameter.is_input_handle():
        return _handle(parameter)
    declaration = _declaration(parameter)
    if parameter.kind.name == "STATUS" and parameter.direction == "out":
        return Conversion(declaration, parameter.name, before=f'call.check_status({parameter.name}, "{parameter.name}");')
    if parameter.large_only and not large:
        is_address = parameter.direction != "in" or parameter.array_suffix()
        return Conversion(declaration, "nullptr" if is_address else "0")
    if not large and _is_narrowed(parameter):
        return _narrowed(parameter, declaration)
    return Conversion(declaration, parameter.name)


def _handle(parameter: Parameter) -> Conversion:
    kind, name = parameter.kind, parameter.name
    const = "const " if kind.constant and not parameter.modified else ""
    mark, suffix = ("*", "_or_null") if parameter.nullable else ("&", "")
    peer = f", {parameter.peer}" if parameter.peer else ""
    of_new = f"_of_new_{parameter.of_new}" if parameter.of_new else ""
    return Conversion(
        declaration=f"{const}objects::{kind.object}{mark} {name}",
        argument=f"{name}_",
        before=f'{const}auto{mark} {name}_ = call.{kind.resolve}{of_new}{suffix}({name}, "{name}"{peer});',
        first=kind.owns_error_handler or bool(of_new),
    )


def _declaration(parameter: Parameter) -> str:
    if parameter.is_wide() and parameter.kind.name == "POLYFUNCTION":
        plain, large = (parameter.c_type(variant).rstrip("*") for variant in (False, True))
        return f"EitherFunction<{plain}, {large}> {parameter.name}"
    if parameter.is_wide() and parameter.array_suffix() and parameter.direction == "in":
        return f"{parameter.kind.view} {parameter.name}"
    declaration = parameter.declaration(large=True)
    is_plain_value = not parameter.array_suffix() and not parameter.c_type(large=True).endswith("*")
    return declaration.removeprefix("const ") if is_plain_value else declaration


def _is_narrowed(parameter: Parameter) -> bool:
    plain, large = parameter.c_type(large=False).rstrip("*"), parameter.c_type(large=True).rstrip("*")
    return parameter.is_wide() and parameter.direction != "in" and not (plain in _SAME_WIDTH and large in _SAME_WIDTH)


def _narrowed(parameter: Parameter, declaration: str) -> Conversion:
    name = parameter.name
    make = "antiphon::api::Narrowed" + ("::in_out" if parameter.direction == "inout" else "")
    store = "store_or_undefined()" if parameter.overflow == "undefined" else "store()"
    return Conversion(
        declaration=declaration,
        argument=f"{name}_.wide()",
        before=f'auto {name}_ = {make}({name}, "{name}");',
        after=f"{name}_.{store};",
    )
