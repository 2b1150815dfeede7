// Messages, requests of every class, statuses, datatypes, packing, info objects (MPI-2.2, 3, 4, 9, 12).
#include <stdexcept>
#include <vector>

#include "expect.hpp"

namespace {

int next() { return (MPI::COMM_WORLD.Get_rank() + 1) % MPI::COMM_WORLD.Get_size(); }
int previous() { return (MPI::COMM_WORLD.Get_rank() + MPI::COMM_WORLD.Get_size() - 1) % MPI::COMM_WORLD.Get_size(); }

void messages_go_around_with_and_without_a_status() {
  const int rank = MPI::COMM_WORLD.Get_rank();
  int received = -1;
  MPI::Status status;
  MPI::COMM_WORLD.Sendrecv(&rank, 1, MPI::INT, next(), 3, &received, 1, MPI::INT, MPI::ANY_SOURCE, MPI::ANY_TAG,
                           status);
  EXPECT(received == previous() && status.Get_source() == previous() && status.Get_tag() == 3);
  EXPECT(status.Get_count(MPI::INT) == 1 && status.Get_elements(MPI::INT) == 1 && !status.Is_cancelled());
  int value = rank;
  MPI::COMM_WORLD.Sendrecv_replace(&value, 1, MPI::INT, next(), 4, previous(), 4);
  EXPECT(value == previous());

  MPI::Request request = MPI::COMM_WORLD.Isend(&rank, 1, MPI::INT, next(), 5);
  MPI::COMM_WORLD.Probe(previous(), 5, status);
  EXPECT(status.Get_count(MPI::INT) == 1 && MPI::COMM_WORLD.Iprobe(previous(), 5));
  MPI::COMM_WORLD.Recv(&received, 1, MPI::INT, previous(), 5);
  request.Wait();
  EXPECT(request == MPI::REQUEST_NULL);
}

void arrays_of_requests_are_completed_together() {
  const int kMany = 10;
  std::vector<int> out(kMany), in(kMany, -1);
  std::vector<MPI::Request> requests;
  for (int i = 0; i < kMany; ++i) {
    out[static_cast<std::size_t>(i)] = 100 * MPI::COMM_WORLD.Get_rank() + i;
    requests.push_back(MPI::COMM_WORLD.Irecv(&in[static_cast<std::size_t>(i)], 1, MPI::INT, previous(), i));
  }
  for (int i = 0; i < kMany; ++i) MPI::COMM_WORLD.Send(&out[static_cast<std::size_t>(i)], 1, MPI::INT, next(), i);
  std::vector<MPI::Status> statuses(kMany);
  MPI::Status status;
  const int first = MPI::Request::Waitany(kMany, requests.data(), status);
  EXPECT(first >= 0 && first < kMany && status.Get_tag() == first);
  std::vector<int> indices(kMany);
  const int some = MPI::Request::Waitsome(kMany, requests.data(), indices.data(), statuses.data());
  EXPECT(some >= 1 && statuses[0].Get_tag() == indices[0]);
  MPI::Request::Waitall(kMany, requests.data(), statuses.data());
  int index = 0;
  EXPECT(MPI::Request::Testany(kMany, requests.data(), index) && index == MPI::UNDEFINED);
  EXPECT(MPI::Request::Testall(kMany, requests.data()));
  EXPECT(MPI::Request::Testsome(kMany, requests.data(), indices.data()) == MPI::UNDEFINED);
  for (int i = 0; i < kMany; ++i) EXPECT(in[static_cast<std::size_t>(i)] == 100 * previous() + i);
}

void persistent_requests_start_again() {
  int out = 0, in = -1;
  MPI::Prequest requests[] = {MPI::COMM_WORLD.Send_init(&out, 1, MPI::INT, next(), 0),
                              MPI::COMM_WORLD.Recv_init(&in, 1, MPI::INT, previous(), 0)};
  for (int round = 0; round < 3; ++round) {
    out = 10 * MPI::COMM_WORLD.Get_rank() + round;
    if (round == 0)
      MPI::Prequest::Startall(2, requests);
    else
      for (MPI::Prequest& request : requests) request.Start();
    for (MPI::Prequest& request : requests) request.Wait();
    EXPECT(in == 10 * previous() + round);
  }
  for (MPI::Prequest& request : requests) request.Free();
  EXPECT(requests[0] == MPI::REQUEST_NULL);
}

void receives_are_cancelled() {
  int value = 0;
  MPI::Request request = MPI::COMM_SELF.Irecv(&value, 1, MPI::INT, 0, 0);
  MPI::Status status;
  EXPECT(!request.Get_status(status) && !request.Test());
  request.Cancel();
  request.Wait(status);
  EXPECT(status.Is_cancelled());
}

struct Work {
  int queried = 0, freed = 0, cancelled = 0;
  bool fails = false;
};

int query(void* state, MPI::Status& status) {
  Work& work = *static_cast<Work*>(state);
  ++work.queried;
  if (work.fails) throw std::logic_error("nothing came of it");
  status.Set_source(7);
  status.Set_tag(8);
  status.Set_elements(MPI::INT, 9);
  status.Set_cancelled(work.cancelled > 0);
  return MPI::SUCCESS;
}

int release(void* state) {
  ++static_cast<Work*>(state)->freed;
  return MPI::SUCCESS;
}

int cancel(void* state, bool complete) {
  EXPECT(!complete);
  ++static_cast<Work*>(state)->cancelled;
  return MPI::SUCCESS;
}

void generalized_requests_ask_the_program() {
  Work work;
  MPI::Grequest request = MPI::Grequest::Start(query, release, cancel, &work);
  EXPECT(!request.Test());
  request.Cancel();
  EXPECT(work.cancelled == 1);
  request.Complete();
  MPI::Status status;
  request.Wait(status);
  EXPECT(status.Get_source() == 7 && status.Get_tag() == 8 && status.Get_count(MPI::INT) == 9 &&
         status.Is_cancelled());
  EXPECT(work.queried == 1 && work.freed == 1 && request == MPI::REQUEST_NULL);

  MPI::COMM_SELF.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
  work.fails = true;
  request = MPI::Grequest::Start(query, release, cancel, &work);
  request.Complete();
  bool caught = false;
  try {
    request.Wait();
  } catch (const std::logic_error& exception) {
    caught = std::strcmp(exception.what(), "nothing came of it") == 0;
  }
  EXPECT(caught && work.freed == 2);
}

void buffers_are_attached_and_come_back() {
  std::vector<char> buffer(1000 + MPI::BSEND_OVERHEAD);
  MPI::Attach_buffer(buffer.data(), static_cast<int>(buffer.size()));
  int value = 5, received = 0;
  MPI::COMM_SELF.Bsend(&value, 1, MPI::INT, 0, 0);
  MPI::COMM_SELF.Recv(&received, 1, MPI::INT, 0, 0);
  void* back = nullptr;
  EXPECT(MPI::Detach_buffer(back) == static_cast<int>(buffer.size()) && back == buffer.data() && received == 5);
}

struct Particle {
  char kind;
  double place[3];
};

void datatypes_describe_structures() {
  Particle here = {'e', {1, 2, 3}};
  const int lengths[] = {1, 3};
  const MPI::Aint base = MPI::Get_address(&here);
  const MPI::Aint places[] = {MPI::Get_address(&here.kind) - base, MPI::Get_address(here.place) - base};
  const MPI::Datatype types[] = {MPI::CHAR, MPI::DOUBLE};
  MPI::Datatype loose = MPI::Datatype::Create_struct(2, lengths, places, types);
  MPI::Datatype particle = loose.Create_resized(0, sizeof(Particle));
  particle.Commit();
  MPI::Aint lower = -1, extent = -1;
  particle.Get_extent(lower, extent);
  EXPECT(lower == 0 && extent == sizeof(Particle) && particle.Get_size() == 1 + 3 * sizeof(double));
  int integers = 0, addresses = 0, datatypes = 0, combiner = 0;
  loose.Get_envelope(integers, addresses, datatypes, combiner);
  EXPECT(combiner == MPI::COMBINER_STRUCT && integers == 3 && addresses == 2 && datatypes == 2);
  int some_integers[3];
  MPI::Aint some_addresses[2];
  MPI::Datatype some_types[2];
  loose.Get_contents(3, 2, 2, some_integers, some_addresses, some_types);
  EXPECT(some_types[0] == MPI::CHAR && some_types[1] == MPI::DOUBLE && some_addresses[1] == places[1]);
  Particle there = {'?', {0, 0, 0}};
  MPI::COMM_WORLD.Sendrecv(&here, 1, particle, next(), 0, &there, 1, particle, previous(), 0);
  EXPECT(there.kind == 'e' && there.place[2] == 3);

  std::vector<char> packed(static_cast<std::size_t>(particle.Pack_size(1, MPI::COMM_WORLD)));
  int position = 0;
  particle.Pack(&here, 1, packed.data(), static_cast<int>(packed.size()), position, MPI::COMM_WORLD);
  EXPECT(position > 0);
  there.kind = '?';
  position = 0;
  particle.Unpack(packed.data(), static_cast<int>(packed.size()), &there, 1, position, MPI::COMM_WORLD);
  EXPECT(there.kind == 'e');
  std::vector<char> external(static_cast<std::size_t>(particle.Pack_external_size("external32", 1)));
  MPI::Aint at = 0;
  particle.Pack_external("external32", &here, 1, external.data(), static_cast<MPI::Aint>(external.size()), at);
  EXPECT(at == 1 + 3 * 8);
  particle.Free();
  loose.Free();
  EXPECT(MPI::Datatype::Match_size(MPI::TYPECLASS_REAL, sizeof(double)) != MPI::DATATYPE_NULL);
  char name[MPI::MAX_OBJECT_NAME];
  int length = 0;
  MPI::INT.Get_name(name, length);
  EXPECT(std::strcmp(name, "MPI_INT") == 0);
}

void info_objects_keep_what_they_are_told() {
  MPI::Info info = MPI::Info::Create();
  info.Set("host", "here");
  info.Set("soft", "1:4");
  EXPECT(info.Get_nkeys() == 2);
  char text[MPI::MAX_INFO_VAL + 1];
  int length = 0;
  EXPECT(info.Get("host", MPI::MAX_INFO_VAL, text) && std::strcmp(text, "here") == 0);
  EXPECT(info.Get_valuelen("soft", length) && length == 3);
  EXPECT(!info.Get("arch", MPI::MAX_INFO_VAL, text));
  info.Get_nthkey(1, text);
  EXPECT(std::strcmp(text, "soft") == 0);
  MPI::Info dup = info.Dup();
  info.Delete("host");
  EXPECT(info.Get_nkeys() == 1 && dup.Get_nkeys() == 2);
  info.Free();
  dup.Free();
  EXPECT(info == MPI::INFO_NULL);
}

void handles_are_those_of_c() {
  EXPECT(MPI::Datatype() == MPI::DATATYPE_NULL && MPI::Group() == MPI::GROUP_NULL && MPI::Op() == MPI::OP_NULL);
  EXPECT(MPI::Info() == MPI::INFO_NULL && MPI::Win() == MPI::WIN_NULL && MPI::Errhandler() == MPI::ERRHANDLER_NULL);
  EXPECT(MPI::Request() == MPI::REQUEST_NULL && MPI::Grequest() == MPI::Prequest());
  EXPECT(MPI::INT == MPI_INT && MPI_INT == MPI::INT && MPI::INT != MPI::FLOAT && MPI::BOOL == MPI_CXX_BOOL);
  MPI::Datatype type = MPI_INT;
  const MPI_Datatype in_c = MPI::DOUBLE;
  EXPECT(type == MPI::INT && in_c == MPI_DOUBLE);
  MPI_Status c_status = MPI_Status();
  c_status.MPI_TAG = 4;
  MPI::Status status = c_status;
  EXPECT(status.Get_tag() == 4);
  status.Set_tag(5);
  c_status = status;
  EXPECT(c_status.MPI_TAG == 5);
  EXPECT(MPI::BOTTOM == MPI_BOTTOM && MPI::IN_PLACE == MPI_IN_PLACE && MPI::ANY_TAG == MPI_ANY_TAG);
}

}  // namespace

int main() {
  return run(messages_go_around_with_and_without_a_status, arrays_of_requests_are_completed_together,
             persistent_requests_start_again, receives_are_cancelled, generalized_requests_ask_the_program,
             buffers_are_attached_and_come_back, datatypes_describe_structures, info_objects_keep_what_they_are_told,
             handles_are_those_of_c);
}
