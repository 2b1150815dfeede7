// Matched probes and receives: MPI 5.0, 3.8.2 and 3.8.3.
#include "api/call.hpp"
#include "api/pt2pt/message_arguments.hpp"
#include "api/pt2pt/status.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Datatype;
using objects::Ref;
using pt2pt::MatchedMessage;
using pt2pt::ReceiveRequest;

namespace {

constexpr objects::Outcome kFromNobody{.source = abi::PROC_NULL, .tag = abi::ANY_TAG};

MPI_Message message_handle(Process& process, Ref<MatchedMessage> message) {
  return reinterpret_cast<MPI_Message>(process.messages.insert(std::move(message)));
}

// Null for MPI_MESSAGE_NO_PROC.
MatchedMessage* message_of(Process& process, const MPI_Message* message) {
  check::not_null(message, "message");
  if (*message == MPI_MESSAGE_NO_PROC) return nullptr;
  MatchedMessage* found = process.messages.find(reinterpret_cast<std::uintptr_t>(*message));
  if (!found)
    Call::fail_handle(abi::ERR_REQUEST, "message", "MPI_MESSAGE_NULL", abi::MESSAGE_NULL, *message, "message");
  return found;
}

// Begins to receive a message, whose handle is then gone. Errors are its communicator's.
Ref<ReceiveRequest> receive_matched(Process& process, void* buf, MPI_Count count, const Datatype& type,
                                    MPI_Message* message) {
  MatchedMessage* matched = message_of(process, message);
  Comm& comm = matched ? matched->comm() : process.self();
  pt2pt::Receive receive{nullptr, 0, abi::PROC_NULL, abi::ANY_TAG, comm, comm.user_space()};
  try {
    const check::Message where = checked_message({}, buf, count, type, matched ? 0 : abi::PROC_NULL);
    receive.buffer = where.buffer;
    receive.capacity = where.bytes;
    receive.scattered = where.scattered;
  } catch (base::Error& error) {
    throw OperationError{std::move(error), matched ? Ref<Comm>::share(comm) : Ref<Comm>{}};
  }
  const auto value = reinterpret_cast<std::uintptr_t>(*message);
  *message = MPI_MESSAGE_NULL;
  if (!matched) return process.pt2pt().start_receive(receive);
  receive.source = matched->outcome().source;
  receive.tag = matched->outcome().tag;
  const Ref<MatchedMessage> taken = process.messages.erase(value);
  return process.pt2pt().start_receive_matched(*taken, receive);
}

}  // namespace

void mprobe(Process& process, int source, int tag, Comm& comm, MPI_Message* message, MPI_Status* status) {
  check::not_null(message, "message");
  const pt2pt::Envelope wanted = checked_envelope(source, tag, comm);
  if (source == abi::PROC_NULL) {
    *message = MPI_MESSAGE_NO_PROC;
    return set_status(status, kFromNobody);
  }
  Ref<MatchedMessage> found = process.pt2pt().match(wanted, comm);
  set_status(status, found->outcome());
  *message = message_handle(process, std::move(found));
}

void improbe(Process& process, int source, int tag, Comm& comm, int* flag, MPI_Message* message, MPI_Status* status) {
  check::not_null(flag, "flag");
  check::not_null(message, "message");
  const pt2pt::Envelope wanted = checked_envelope(source, tag, comm);
  *flag = 1;
  if (source == abi::PROC_NULL) {
    *message = MPI_MESSAGE_NO_PROC;
    return set_status(status, kFromNobody);
  }
  Ref<MatchedMessage> found;
  const auto look = [&] { return static_cast<bool>(found = process.pt2pt().match_now(wanted, comm)); };
  *flag = process.progress().look(look) ? 1 : 0;
  if (!*flag) return;
  set_status(status, found->outcome());
  *message = message_handle(process, std::move(found));
}

void mrecv(Process& process, void* buf, MPI_Count count, const Datatype& datatype, MPI_Message* message,
           MPI_Status* status) {
  const Ref<ReceiveRequest> receiving = receive_matched(process, buf, count, datatype, message);
  process.progress().wait(*receiving);
  if (receiving->outcome.error != 0)
    throw OperationError{{receiving->outcome.error, *receiving->error_text}, receiving->comm_ref()};
  set_status(status, receiving->outcome);
}

void imrecv(Process& process, void* buf, MPI_Count count, const Datatype& datatype, MPI_Message* message,
            MPI_Request* request) {
  check::not_null(request, "request");
  *request = handle_of(process, receive_matched(process, buf, count, datatype, message));
}

}  // namespace antiphon::api
