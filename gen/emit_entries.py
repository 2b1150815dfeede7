"""entries_<chapter>.cpp: the C entry points of the procedures that the library has, PMPI_X with its weak alias MPI_X."""

from __future__ import annotations

from conversion import convert
from model import Procedure
from text import NOTICE, wrapped_call


def emit(chapter: str, procedures: tuple[Procedure, ...]) -> str:
    existing = [procedure for procedure in procedures if not procedure.missing]
    entries = [entry(procedure, name, large) for procedure in existing for name, large in procedure.variants()]
    headers = ["bodies", "call"]
    headers += ["short"] if any(procedure.short for procedure in existing) else []
    headers += ["collectives/agreed"] if any(procedure.form == "blocking" for procedure in existing) else []
    headers += ["collectives/later"] if any(procedure.is_for_later() for procedure in existing) else []
    includes = "".join(f'#include "api/{header}.hpp"\n' for header in sorted(headers))
    return f"""// C entry points of the chapter "{chapter}". {NOTICE}
{includes}#include "mpi.h"

#pragma GCC visibility push(default)
extern "C" {{

{chr(10).join(entries)}
}}  // extern "C"
#pragma GCC visibility pop
"""


def entry(procedure: Procedure, name: str, large: bool) -> str:
    arguments = procedure.declarations(large)
    definition = wrapped_call(f"{procedure.returns} P{name}", arguments, " {")
    alias = wrapped_call(f"{procedure.returns} {name}", arguments, f' __attribute__((weak, alias("P{name}")));')
    statements = _checked(procedure, name, large) if procedure.error_code else _unchecked(procedure)
    short_way = _short_way(procedure, name, large) if procedure.short else []
    if not short_way:
        return "\n".join([definition, *statements, "}", alias, ""])
    return "\n".join([*_long_way(name, arguments, statements), definition, *short_way, "}", alias, ""])


def _long_way(name: str, arguments: list[str], statements: list[str]) -> list[str]:
    """A function of its own, so that the short way saves no registers for it."""
    return [wrapped_call(f"[[gnu::noinline]] static int long_{name}", arguments, " {"), *statements, "}"]


def _short_way(procedure: Procedure, name: str, large: bool) -> list[str]:
    """The large-count variant takes it, too, where its counts would do for the plain one; nothing, if it has results that
    would not."""
    wide = [p for p in procedure.parameters if large and p.is_wide()]
    if any(p.direction != "in" or p.array_suffix() for p in wide):
        return []
    names = [p.name for p in procedure.parameters]
    plain = [f"static_cast<{p.c_type(large=False)}>({p.name})" if p in wide else p.name for p in procedure.parameters]
    conditions = [f"static_cast<{p.c_type(large=False)}>({p.name}) == {p.name}" for p in wide]
    attempt = wrapped_call(f"antiphon::api::try_{procedure.body_name()}", plain, ")", indent=6).lstrip()
    return [
        "  if (" + " &&\n      ".join([*conditions, attempt]) + " [[likely]]",
        "    return MPI_SUCCESS;",
        f"  return long_{name}({', '.join(names)});",
    ]


def _unchecked(procedure: Procedure) -> list[str]:
    """A procedure that cannot fail: its body takes what C gives."""
    arguments = [parameter.name for parameter in procedure.parameters]
    return [wrapped_call(f"return antiphon::api::{procedure.body_name()}", arguments, ";", indent=2)]


def _checked(procedure: Procedure, name: str, large: bool) -> list[str]:
    converted = {p.name: c for p in procedure.parameters if (c := convert(p, large))}
    conversions = converted.values()
    context = "call" if procedure.before_init else "process"
    by_urgency = sorted(conversions, key=lambda conversion: not conversion.first)
    arguments = [context, *(converted[p.name].argument for p in procedure.body_parameters() if p.name in converted)]
    make_request, plan, hand_out = _request_for_later(procedure, converted)
    is_collective = procedure.form == "blocking"
    counted = [f"    antiphon::api::Agreed agreed(process, {converted['comm'].argument});"] if is_collective else []
    agreed = _agreed(converted) if is_collective else []
    lane = ", antiphon::api::Call::WithoutLane{}" if procedure.without_lane else ""
    return [
        f'  antiphon::api::Call call{{"{name}"{lane}}};',
        "  try {",
        *([] if procedure.before_init else ["    auto& process = call.process();"]),
        *(f"    {conversion.before}" for conversion in by_urgency if conversion.before and conversion.first),
        *(["    call.needs_memory();"] if procedure.begins_something() else []),
        *counted,
        *(f"    {conversion.before}" for conversion in by_urgency if conversion.before and not conversion.first),
        *make_request,
        *agreed,
        wrapped_call(f"antiphon::api::{procedure.body_name()}", arguments + plan, ";", indent=4),
        *hand_out,
        *(f"    {conversion.after}" for conversion in conversions if conversion.after),
        "    return call.succeed();",
        "  } catch (...) {",
        f"    call.{_FAILURES.get(procedure.form, 'fail')}();",
        "  }",
        "  return call.raise();",
    ]


# What catches the failure of a collective, by its form.
_FAILURES = {
    "blocking": "fail_in_collective",
    "nonblocking": "fail_in_later_collective",
    "persistent": "fail_in_later_collective",
}


def _request_for_later(procedure: Procedure, converted: dict) -> tuple[list[str], list[str], list[str]]:
    """Of a collective: what prepares its request, the argument that takes its plan, and what hands the request out."""
    if not procedure.is_for_later():
        return [], ["nullptr"] if procedure.form else [], []
    request = ", ".join(converted[p.name].argument for p in procedure.parameters if p.name in ("comm", "info", "request"))
    return (
        [f"    antiphon::api::{procedure.form.capitalize()} later(process, {request});"],
        ["later.deferred()"],
        ["    later.hand_out();"],
    )


def _agreed(converted: dict) -> list[str]:
    """Notes what all members of the communicator give alike."""
    values = []
    if "root" in converted:
        values.append(f".root = {converted['root'].argument}")
    count = next((name for name in ("count", "recvcount") if name in converted), None)
    if count and "datatype" in converted:
        values.append(f".bytes = antiphon::api::Agreed::bytes({count}, {converted['datatype'].argument})")
    if "op" in converted:
        values.append(f".op = {converted['op'].argument}.name()")
    return [wrapped_call("agreed.on", [f"{{{', '.join(values)}}}"], ";", indent=4)]
