"""api/bodies.hpp: the declaration of every body in src/api. A definition that does not match its
declaration here fails to link, with the name of the body in the message."""

from __future__ import annotations

from conversion import convert
from model import Interface, Procedure
from text import NOTICE, wrapped_call


def emit(interface: Interface) -> str:
    classes = sorted({kind.object for kind in interface.kinds.values() if kind.object})
    with_body = [procedure for procedure in interface.existing() if not procedure.is_for_later()]
    declarations = [declaration(procedure) for procedure in with_body]
    return f"""// The hand-written bodies of src/api: one function a procedure, which the plain and the large-count variant both
// reach, with handles resolved and counts at full width. Of collectives, all three forms reach it, and `later` is where
// the plan of what is not to be done now goes, or null. A body throws base::Error when it fails.
// {NOTICE}
#pragma once

#include "api/arrays.hpp"
#include "mpi.h"

namespace antiphon::process {{
class Process;
}}

namespace antiphon::coll {{
struct Deferred;
}}

namespace antiphon::objects {{
{chr(10).join(f"class {name};" for name in classes)}
}}  // namespace antiphon::objects

namespace antiphon::api {{

class Call;
using process::Process;

{chr(10).join(declarations)}

}}  // namespace antiphon::api
"""


def declaration(procedure: Procedure) -> str:
    if not procedure.error_code:
        return wrapped_call(f"{procedure.returns} {procedure.body_name()}", procedure.declarations(large=False), ";")
    conversions = (convert(parameter, large=True) for parameter in procedure.parameters)
    parameters = [conversion.declaration for conversion in conversions if conversion]
    context = "Call& call" if procedure.before_init else "Process& process"
    plan = ["coll::Deferred* later"] if procedure.form else []
    return wrapped_call(f"void {procedure.body_name()}", [context, *parameters, *plan], ";")
