"""fortran/entries_<chapter>.cpp: what Fortran calls. An entry point takes addresses, as Fortran passes everything; each
argument becomes an expression that turns it into C's (bindings/fortran/handles.hpp, arguments.hpp), so that the body is
one call.

Where a procedure has no choice buffer, mpif.h, mpi and mpi_f08 share one function under several names. Where it has,
mpi_f08 passes C descriptors, and gets a second one; so do large counts, which only mpi_f08 has."""

from __future__ import annotations

from dataclasses import dataclass, field

import fortran
from model import Interface, Parameter, Procedure
from text import NOTICE, wrapped_call

# The functions that stand for a Fortran function of each type (functions.hpp).
_FUNCTIONS = {
    "MPI_User_function": "operation",
    "MPI_User_function_c": "operation_c",
    "MPI_Comm_errhandler_function": "comm_errhandler",
    "MPI_File_errhandler_function": "file_errhandler",
    "MPI_Session_errhandler_function": "session_errhandler",
    "MPI_Win_errhandler_function": "win_errhandler",
}
# After these MPI hears what the compiler is like (compiler.hpp).
_INITS = ("MPI_Init", "MPI_Init_thread")
# Before these, what the requests' operations are about to read is copied, if it must be (scratch.hpp).
_STARTS = {"MPI_Start": "requests_begin(request, 1);", "MPI_Startall": "requests_begin(array_of_requests, *count);"}
# Datatypes of each peer (MPI_Alltoallw): how many there are depends on the communicator.
_PEERS = {("neighbor", "sendtypes"): "destinations_of", ("neighbor", "recvtypes"): "sources_of"}


def emit(interface: Interface, chapter: str) -> str:
    procedures = [p for p in fortran.procedures(interface) if p.chapter == chapter and not fortran.is_by_hand(p)]
    functions = "\n\n".join(_entries(interface, procedure) for procedure in procedures)
    return f"""// The entry points of {chapter} for Fortran. {NOTICE}
#include "arguments.hpp"
#include "fortran.hpp"
#include "functions.hpp"
#include "handles.hpp"
#include "scratch.hpp"
#include "section.hpp"
#include "sentinels.hpp"

using namespace antiphon::fortran;

extern "C" {{

{functions}

}}  // extern "C"
"""


def _entries(interface: Interface, procedure: Procedure) -> str:
    plain = procedure.name.lower() + "_"
    functions = [_Entry(interface, procedure, plain, large=False, f08=False).text()]
    if fortran.has_c_ptr_overload(procedure):
        functions.append(_alias(procedure.name.lower() + "_cptr_", plain))
    for specific in fortran.specifics(procedure):
        name = specific.name.lower() + "_"
        is_the_same = not (fortran.has_choice_buffer(procedure) or fortran.returns_address_alone_in_f08(procedure))
        if is_the_same and not specific.large:
            functions.append(_alias(name, plain))
        else:
            functions.append(_Entry(interface, procedure, name, specific.large, f08=True).text())
    return "\n".join(functions)


def _alias(name: str, target: str) -> str:
    return f"ANTIPHON_ALIAS({name}, {target});"


@dataclass
class _Entry:
    """One function: its parameters, what precedes the call, the call's arguments."""

    interface: Interface
    procedure: Procedure
    name: str
    large: bool
    f08: bool
    parameters: list[str] = field(default_factory=list)
    lengths: list[str] = field(default_factory=list)  # of strings: after everything else
    before: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)  # expressions: why a buffer cannot be passed on
    kept: list[str] = field(default_factory=list)  # copies that the request needs from now on
    replaced: dict[str, str] = field(default_factory=dict)  # arguments that a Section replaces

    def text(self) -> str:
        arguments = []
        for p in self.procedure.c_parameters(self.large):
            if p.is_variadic():
                continue
            if p.kind.name in ("ARGUMENT_COUNT", "ARGUMENT_LIST"):
                arguments.append("0" if p.c == "int" else "nullptr")
            else:
                arguments.append(self._argument(p))
        if self.procedure.name in _STARTS:
            self.before.append(_STARTS[self.procedure.name])
        call_name = self.procedure.name + ("_c" if self.large else "")
        return self._function(call_name, arguments)

    def _function(self, call_name: str, arguments: list[str]) -> str:
        parameters = self.parameters + (["int* ierror"] if fortran.has_ierror(self.procedure) else []) + self.lengths
        result = "void" if not fortran.function_result(self.procedure) else self.procedure.returns
        head = wrapped_call(f"{result} ANTIPHON_ENTRY({self.name})", parameters, " {")
        call = f"ANTIPHON_CALL({call_name})"
        body = [f"  {line}" for line in self.before]
        body += [f"  if ({check} != MPI_SUCCESS) return give(ierror, {self._raise(check)});" for check in self.checks]
        if result != "void":
            body.append(wrapped_call(f"return {call}", arguments, ";", indent=2))
        elif not fortran.has_ierror(self.procedure):
            body.append(wrapped_call(call, arguments, ";", indent=2))
        elif self.kept:
            body.append(wrapped_call(f"const int code = {call}", arguments, ";", indent=2))
            keep = "keep_for_rounds_of" if self.procedure.form == "persistent" else "keep_until"
            body += [f"  if (code == MPI_SUCCESS) {buffer}.{keep}(*request);" for buffer in self.kept]
            body.append("  give(ierror, code);")
        elif self.procedure.name in _INITS:
            body.append(wrapped_call(f"give(ierror, tell_mpi({call}", arguments, "));", indent=2))
        else:
            body.append(wrapped_call(f"give(ierror, {call}", arguments, ");", indent=2))
        return "\n".join([head, *body, "}"])

    def _raise(self, check: str) -> str:
        owner = next((p for p in self.procedure.parameters if p.kind.name in ("COMMUNICATOR", "WINDOW")), None)
        handle = f"from<{owner.kind.c}>({owner.name})" if owner else "MPI_COMM_SELF"
        return f"raise({handle}, {check})"

    # Arguments.

    def _argument(self, p: Parameter) -> str:
        """Declares the Fortran argument and says how C gets it."""
        kind, name = p.kind.name, p.name
        if kind == "BUFFER":
            return self._buffer(p)
        if name in self.replaced:
            self._declare(p)
            return self.replaced[name]
        if kind in ("C_BUFFER", "C_BUFFER2"):
            return self._base(p)
        if kind in ("FUNCTION", "POLYFUNCTION"):
            return self._user_function(p)
        if kind == "STRING":
            return self._string(p)
        if kind == "STATUS":
            self.parameters.append(f"{'const ' if p.const else ''}int* {name}")
            return f"{'statuses_of' if p.length else 'status_of'}({name})"
        self._declare(p)
        if fortran.handle_type(self.interface, p):
            return self._handle(p)
        if kind == "LOGICAL":
            return self._logical(p)
        if kind == "WEIGHT":
            return f"weights_of({name})"
        if kind == "ERROR_CODE" and p.length:
            return f"errcodes_of({name})"
        if p.from_one:
            return f"Indices({name}, outcount)" if p.length else f"Index({name})"
        if p.direction == "inout" and kind in ("STRING_LENGTH", "INFO_VALUE_LENGTH"):
            return f"Buffer_length({name})"
        if p.array == "[][3]":
            return f"reinterpret_cast<int(*)[3]>({name})"
        return name if p.array_suffix() or p.direction != "in" else f"*{name}"

    def _declare(self, p: Parameter) -> None:
        """An address of the C type, or of an int that stands for a handle or a truth value."""
        base = "int" if fortran.handle_type(self.interface, p) else p.c_type(self.large).rstrip("*")
        is_read_only = p.direction == "in" and not p.c.endswith("*") and p.array != "[][3]"
        self.parameters.append(f"{'const ' if is_read_only else ''}{base}* {p.name}")

    def _base(self, p: Parameter) -> str:
        """The address that the call returns; mpif.h and mpi have no room for that of a buffer that is detached."""
        self.parameters.append(f"void* {p.name}")
        if p.kind.name == "C_BUFFER" or self.f08:
            return p.name
        self.parameters[-1] = "void*"
        self.before.append(f"void* {p.name} = nullptr;")
        return f"&{p.name}"

    def _user_function(self, p: Parameter) -> str:
        function = _FUNCTIONS[p.c_type(self.large).rstrip("*")]
        self.parameters.append(f"{_fortran_function(function)}* {p.name}")
        return f"{function}({p.name})"

    def _string(self, p: Parameter) -> str:
        name, length = p.name, f"{p.name}_length"
        const = "const " if p.direction == "in" else ""
        if self.f08 and fortran.has_choice_buffer(self.procedure):  # bind(C): a descriptor, too
            self.parameters.append(f"const CFI_cdesc_t* {name}")
            text, length = f"static_cast<{const}char*>({name}->base_addr)", f"{name}->elem_len"
        else:
            self.parameters.append(f"{const}char* {name}")
            self.lengths.append(f"std::size_t {length}")
            text = name
        if p.direction == "in":
            return f"{'Stripped_text' if self.procedure.name.startswith('MPI_Info_') else 'Text'}({text}, {length})"
        return f"Out_text({text}, {length}, {self._capacity(p)})"

    def _capacity(self, p: Parameter) -> str:
        """How many characters C writes at most."""
        lengths = [q for q in self.procedure.parameters if q.kind.name in ("STRING_LENGTH", "INFO_VALUE_LENGTH")]
        if p.length:
            return f"*{p.length}" if p.length in [q.name for q in lengths] else p.length
        asked = [q.name for q in lengths if q.direction == "inout"]
        return f"*{asked[0]}" if asked else "MPI_MAX_INFO_KEY"

    def _handle(self, p: Parameter) -> str:
        handle, name = fortran.handle_type(self.interface, p), p.name
        direction = "inout" if p.c.endswith("*") else p.direction
        if not p.array_suffix():
            adapter = {"in": "from", "out": "Out", "inout": "InOut"}[direction]
            return f"{adapter}<{handle}>({name})"
        adapter = {"in": "In_array", "out": "Out_array", "inout": "InOut_array"}[direction]
        return f"{adapter}<{handle}>({name}, {self._length(p)})"

    def _length(self, p: Parameter) -> str:
        if p.length != "*":
            return f"*{p.length}"
        neighbor = "neighbor" if "eighbor" in self.procedure.name else ""
        peers = _PEERS.get((neighbor, p.name), "peers_of") + "(from<MPI_Comm>(comm))"
        # Without a send buffer nothing is read of its datatypes, which need not be there.
        if p.name == "sendtypes" and not neighbor:
            buffer = "sendbuf->base_addr" if self.f08 else "sendbuf"
            return f"buffer_address({buffer}) == MPI_IN_PLACE ? 0 : {peers}"
        return peers

    def _logical(self, p: Parameter) -> str:
        if not p.array_suffix():
            return f"truth({p.name})" if p.direction == "in" else f"Out_logical({p.name})"
        length = "dimensions_of(from<MPI_Comm>(comm))" if p.length == "*" else f"*{p.length}"
        return f"{'In_logicals' if p.direction == 'in' else 'Out_logicals'}({p.name}, {length})"

    # Choice buffers.

    def _buffer(self, p: Parameter) -> str:
        if not self.f08:
            self.parameters.append(f"void* {p.name}")
            return f"buffer_address({p.name})"
        self.parameters.append(f"CFI_cdesc_t* {p.name}")
        if self._is_described(p):
            return self._section(p)
        if not any(q.kind.name == "DATATYPE" for q in self.procedure.parameters) or self._is_one_element():
            return f"buffer_address({p.name}->base_addr)"
        return self._scratch(p)

    def _is_one_element(self) -> bool:
        return not any(q.kind.large for q in self.procedure.parameters)

    def _is_described(self, p: Parameter) -> bool:
        """Whether the arguments after the buffer say all about it."""
        parameters = self.procedure.parameters
        is_reduction = self.procedure.chapter == "collectives" and any(q.kind.name == "OPERATION" for q in parameters)
        has_blocks = bool(self.procedure.form) and len([q for q in parameters if q.kind.name == "BUFFER"]) > 1
        if self._is_one_element() or is_reduction or has_blocks:
            return False
        *counts, datatype = self._after(p)
        return datatype.kind.name == "DATATYPE" and not any(count.array_suffix() for count in counts)

    def _after(self, p: Parameter) -> list[Parameter]:
        """What describes a buffer: its count and datatype, and before them its partitions, if it has any."""
        rest = self.procedure.parameters[self.procedure.parameters.index(p) + 1 :]
        return list(rest[: 3 if rest[0].kind.name == "PARTITION" else 2])

    def _section(self, p: Parameter) -> str:
        section = f"{p.name}_section"
        *partitions, count, datatype = self._after(p)
        arguments = [p.name, f"*{count.name}", datatype.name, *(f"*{q.name}" for q in partitions)]
        self.before.append(f"const Section<{count.c_type(self.large)}> {section}({', '.join(arguments)});")
        self.checks.append(f"{section}.error()")
        self.replaced[count.name] = f"{section}.count()"
        self.replaced[datatype.name] = f"{section}.type()"
        return f"{section}.address()"

    def _scratch(self, p: Parameter) -> str:
        buffer = f"{p.name}_buffer"
        self.before.append(f"Scratch {buffer}({p.name}, Scratch::Use::{'read' if p.const else 'written'});")
        if any(q.kind.name == "REQUEST" and q.direction == "out" for q in self.procedure.parameters):
            self.kept.append(buffer)
        return f"{buffer}.address()"


def _fortran_function(function: str) -> str:
    return {"operation": "Fortran_operation", "operation_c": "Fortran_operation_c"}.get(function, "Fortran_errhandler")
