// Environment inquiry and memory allocation (MPI-2.2, 8.1, 8.2, 8.7), before, between and after.
#include <cstdlib>

#include "expect.hpp"

namespace {

void versions_and_names_are_known() {
  int version = 0, subversion = -1;
  MPI::Get_version(version, subversion);
  EXPECT(version == 5 && subversion == 0);
  char name[MPI::MAX_PROCESSOR_NAME];
  int length = -1;
  MPI::Get_processor_name(name, length);
  EXPECT(length > 0 && static_cast<int>(std::strlen(name)) == length);
}

void predefined_attributes_are_there() {
  int* value = nullptr;
  EXPECT(MPI::COMM_WORLD.Get_attr(MPI::TAG_UB, &value) && *value >= 32767);
  EXPECT(MPI::COMM_WORLD.Get_attr(MPI::WTIME_IS_GLOBAL, &value) && (*value == 0 || *value == 1));
  EXPECT(MPI::COMM_WORLD.Get_attr(MPI::IO, &value) && *value == MPI::ANY_SOURCE);
  EXPECT(MPI::COMM_WORLD.Get_attr(MPI::UNIVERSE_SIZE, &value) ? *value >= 1 : true);
}

void time_goes_on() {
  const double before = MPI::Wtime();
  EXPECT(MPI::Wtick() > 0 && MPI::Wtick() < 1);
  EXPECT(MPI::Wtime() >= before);
}

void threads_are_as_asked_for() {
  EXPECT(MPI::Query_thread() == MPI::THREAD_FUNNELED);
  EXPECT(MPI::Is_thread_main());
}

void errors_have_classes_and_texts() {
  const int error_class = MPI::Add_error_class();
  const int code = MPI::Add_error_code(error_class);
  MPI::Add_error_string(code, "of my own");
  EXPECT(MPI::Get_error_class(code) == error_class);
  char text[MPI::MAX_ERROR_STRING];
  int length = 0;
  MPI::Get_error_string(code, text, length);
  EXPECT(std::strcmp(text, "of my own") == 0 && length == 9);
}

void allocated_memory_can_be_written_and_freed() {
  MPI::Info info = MPI::Info::Create();
  for (MPI::Aint bytes : {MPI::Aint(1), MPI::Aint(1000), MPI::Aint(1) << 20}) {
    char* memory = static_cast<char*>(MPI::Alloc_mem(bytes, info));
    std::memset(memory, 7, static_cast<std::size_t>(bytes));
    EXPECT(memory[bytes - 1] == 7);
    MPI::Free_mem(memory);
  }
  info.Free();
}

void memory_that_there_is_not_is_an_error() {
  EXPECT_THROWS(MPI::ERR_NO_MEM, "", MPI::Alloc_mem(MPI::Aint(1) << 60, MPI::INFO_NULL));
  EXPECT_THROWS(MPI::ERR_ARG, "size", MPI::Alloc_mem(-1, MPI::INFO_NULL));
}

void dimensions_are_balanced() {
  int dims[] = {0, 3};
  MPI::Compute_dims(12, 2, dims);
  EXPECT(dims[0] == 4 && dims[1] == 3);
}

}  // namespace

int main(int argc, char** argv) {
  if (MPI::Is_initialized() || MPI::Is_finalized()) return 2;
  if (MPI::Init_thread(argc, argv, MPI::THREAD_FUNNELED) != MPI::THREAD_FUNNELED) return 3;
  EXPECT(MPI::Is_initialized() && !MPI::Is_finalized() && argc == 2 && std::strcmp(argv[1], "argument") == 0);
  // Errors of calls without an object go to the handler of this one.
  MPI::COMM_SELF.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
  versions_and_names_are_known();
  predefined_attributes_are_there();
  time_goes_on();
  threads_are_as_asked_for();
  errors_have_classes_and_texts();
  allocated_memory_can_be_written_and_freed();
  memory_that_there_is_not_is_an_error();
  dimensions_are_balanced();
  MPI::Finalize();
  return MPI::Is_finalized() && expect::failures() == 0 ? 0 : 1;
}
