// Partitioned communication: MPI 5.0, chapter 4.
#include "engine/pt2pt/partitioned.hpp"

#include "api/call.hpp"
#include "api/pt2pt/message_arguments.hpp"
#include "api/pt2pt/requests.hpp"

namespace antiphon::api {

using objects::Comm;
using objects::Datatype;
using objects::Info;
using objects::Request;
using pt2pt::PartitionedBuffer;
using pt2pt::PartitionedReceive;
using pt2pt::PartitionedRequest;
using pt2pt::PartitionedSend;
using Direction = PartitionedRequest::Direction;

namespace {

PartitionedBuffer checked_buffer(const void* buf, int partitions, MPI_Count count, const Datatype& type, int peer) {
  if (partitions < 0)
    base::fail(abi::ERR_ARG, fmt::format("partitions={} is negative (valid: 0 or more)", partitions));
  if (count < 0) check::cold::bad_count("count", count);
  MPI_Count all = 0;
  if (__builtin_mul_overflow(count, partitions, &all)) check::cold::too_large("count", count, type);
  const check::Message message = checked_message({}, buf, all, type, peer);
  return {message.buffer, message.bytes, static_cast<std::size_t>(partitions), count, &type, message.scattered};
}

// One of this direction.
PartitionedRequest& partitioned_of(Process& process, MPI_Request handle, Direction direction) {
  Request* found = request_of(process, handle, "request");
  if (!found) null_request("request", -1);
  auto* partitioned = dynamic_cast<PartitionedRequest*>(found);
  if (!partitioned || partitioned->direction() != direction)
    base::fail(abi::ERR_REQUEST,
               fmt::format("request={:#x} is not a partitioned {}", reinterpret_cast<std::uintptr_t>(handle),
                           direction == Direction::send ? "send: MPI_Psend_init creates those"
                                                        : "receive: MPI_Precv_init creates those"));
  return *partitioned;
}

// Partitions of one active send that become ready in one call.
class Readiness {
 public:
  Readiness(Process& process, MPI_Request handle)
      : process_(process), send_(static_cast<PartitionedSend&>(partitioned_of(process, handle, Direction::send))) {
    if (!send_.active()) base::fail(abi::ERR_REQUEST, "request is inactive: call MPI_Start first");
  }
  // Another thread may be waiting for the last of them.
  ~Readiness() { process_.progress().wake_other_threads(); }
  Readiness(const Readiness&) = delete;
  Readiness& operator=(const Readiness&) = delete;

  void check(const char* argument, int partition) const {
    if (partition < 0 || static_cast<std::size_t>(partition) >= send_.partitions())
      base::fail(abi::ERR_ARG,
                 fmt::format("{}={} is not a partition of this request, which has {}", argument, partition, count()));
  }
  void add(int partition) {
    const auto index = static_cast<std::size_t>(partition);
    if (send_.active()->done()) return;  // to nobody
    if (send_.is_ready(index))
      base::fail(
          abi::ERR_ARG,
          fmt::format("partition {} is ready already: mark each partition once after each MPI_Start", partition));
    send_.ready(index);
  }

 private:
  [[nodiscard]] std::string count() const {
    return send_.partitions() == 0 ? "none" : fmt::format("{} (0 to {})", send_.partitions(), send_.partitions() - 1);
  }

  Process& process_;
  PartitionedSend& send_;
};

}  // namespace

void psend_init(Process& process, const void* buf, int partitions, MPI_Count count, const Datatype& datatype,
                int dest, int tag, Comm& comm, const Info*, MPI_Request* request) {
  check::not_null(request, "request");
  check::destination("dest", dest, comm);
  check::send_tag("tag", tag);
  const PartitionedBuffer buffer = checked_buffer(buf, partitions, count, datatype, dest);
  *request = handle_of(process, process.partitioned().make_send(buffer, dest, tag, comm));
}

// The standard's C interface calls the source of a partitioned receive `dest`. No wildcards (MPI 5.0, 4.2.1).
void precv_init(Process& process, void* buf, int partitions, MPI_Count count, const Datatype& datatype, int source,
                int tag, Comm& comm, const Info*, MPI_Request* request) {
  check::not_null(request, "request");
  check::destination("source", source, comm);
  check::send_tag("tag", tag);
  const PartitionedBuffer buffer = checked_buffer(buf, partitions, count, datatype, source);
  *request = handle_of(process, process.partitioned().make_receive(buffer, source, tag, comm));
}

void pready(Process& process, int partition, MPI_Request request) {
  Readiness ready(process, request);
  ready.check("partition", partition);
  ready.add(partition);
}

void pready_range(Process& process, int partition_low, int partition_high, MPI_Request request) {
  Readiness ready(process, request);
  ready.check("partition_low", partition_low);
  ready.check("partition_high", partition_high);
  if (partition_low > partition_high)
    base::fail(abi::ERR_ARG,
               fmt::format("partition_low={} is above partition_high={}", partition_low, partition_high));
  for (int i = partition_low; i <= partition_high; ++i) ready.add(i);
}

void pready_list(Process& process, int length, const int array_of_partitions[], MPI_Request request) {
  if (length < 0) base::fail(abi::ERR_ARG, fmt::format("length={} is negative (valid: 0 or more)", length));
  if (length > 0) check::not_null(array_of_partitions, "array_of_partitions");
  Readiness ready(process, request);
  for (int i = 0; i < length; ++i) ready.check("array_of_partitions[i]", array_of_partitions[i]);
  for (int i = 0; i < length; ++i) ready.add(array_of_partitions[i]);
}

// Nothing is missing of what is not under way, nor of MPI_REQUEST_NULL.
void parrived(Process& process, MPI_Request request, int partition, int* flag) {
  check::not_null(flag, "flag");
  *flag = 1;
  if (request == MPI_REQUEST_NULL) return;
  PartitionedRequest& found = partitioned_of(process, request, Direction::receive);
  if (partition < 0 || static_cast<std::size_t>(partition) >= found.partitions())
    base::fail(abi::ERR_ARG, fmt::format("partition={} is not a partition of this request, which has {}", partition,
                                         found.partitions()));
  const auto& receive = static_cast<PartitionedReceive&>(found);
  const auto arrived = [&] { return receive.arrived(static_cast<std::size_t>(partition)); };
  *flag = !receive.active() || process.progress().look(arrived) ? 1 : 0;
}

}  // namespace antiphon::api
