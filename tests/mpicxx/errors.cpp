// Errors as exceptions, as nothing, and in handlers of the program, which may throw, too (MPI-2.2, 8.3, 16.1.8).
#include <stdexcept>
#include <type_traits>

#include "expect.hpp"

namespace {

void wrong_arguments_throw_and_are_named() {
  int value = 0;
  EXPECT_THROWS(MPI::ERR_RANK, "dest=99", MPI::COMM_WORLD.Send(&value, 1, MPI::INT, 99, 0));
  EXPECT_THROWS(MPI::ERR_TAG, "tag=-7", MPI::COMM_WORLD.Send(&value, 1, MPI::INT, 0, -7));
  EXPECT_THROWS(MPI::ERR_COUNT, "count=-1", MPI::COMM_WORLD.Recv(&value, -1, MPI::INT, 0, 0));
  EXPECT_THROWS(MPI::ERR_TYPE, "MPI_DATATYPE_NULL", MPI::COMM_WORLD.Send(&value, 1, MPI::DATATYPE_NULL, 0, 0));
  EXPECT_THROWS(MPI::ERR_ROOT, "root=99", MPI::COMM_WORLD.Bcast(&value, 1, MPI::INT, 99));
  EXPECT_THROWS(MPI::ERR_OP, "MPI_OP_NULL",
                MPI::COMM_WORLD.Allreduce(MPI::IN_PLACE, &value, 1, MPI::INT, MPI::OP_NULL));
}

void an_exception_tells_code_class_and_text() {
  static_assert(std::is_base_of<std::exception, MPI::Exception>::value, "whoever catches those catches it");
  try {
    MPI::COMM_WORLD.Barrier();
    MPI::COMM_WORLD.Send(nullptr, 1, MPI::INT, 99, 0);
    expect::holds(false, "an exception", __FILE__, __LINE__);
  } catch (const std::exception& caught) {
    const MPI::Exception& exception = dynamic_cast<const MPI::Exception&>(caught);
    EXPECT(MPI::Get_error_class(exception.Get_error_code()) == exception.Get_error_class());
    EXPECT(std::strcmp(exception.what(), exception.Get_error_string()) == 0);
  }
}

void truncation_throws_where_it_is_found() {
  int sent[] = {1, 2}, received = 0;
  MPI::Request request = MPI::COMM_SELF.Isend(sent, 2, MPI::INT, 0, 0);
  MPI::COMM_SELF.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
  EXPECT_THROWS(MPI::ERR_TRUNCATE, "", MPI::COMM_SELF.Recv(&received, 1, MPI::INT, 0, 0));
  request.Wait();
}

void returned_errors_are_ignored() {
  MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
  comm.Set_errhandler(MPI::ERRORS_RETURN);
  EXPECT(comm.Get_errhandler() == MPI::ERRORS_RETURN);
  comm.Send(nullptr, 1, MPI::INT, 99, 0);
  comm.Free();
}

void the_handler_that_throws_is_recognized() {
  EXPECT(MPI::COMM_WORLD.Get_errhandler() == MPI::ERRORS_THROW_EXCEPTIONS);
  MPI::Intracomm dup = MPI::COMM_WORLD.Dup();
  MPI::Errhandler inherited = dup.Get_errhandler();
  EXPECT(inherited == MPI::ERRORS_THROW_EXCEPTIONS);
  inherited.Free();
  EXPECT(inherited == MPI::ERRHANDLER_NULL);
  EXPECT_THROWS(MPI::ERR_RANK, "99", dup.Send(nullptr, 0, MPI::INT, 99, 0));
  dup.Free();
}

int told = 0;

void remember(MPI::Comm& comm, int* code, ...) {
  EXPECT(dynamic_cast<MPI::Intracomm*>(&comm) != nullptr);
  told = MPI::Get_error_class(*code);
}

void throw_one_of_its_own(MPI::Comm&, int* code, ...) {
  throw std::out_of_range(MPI::Get_error_class(*code) == MPI::ERR_RANK ? "rank" : "other");
}

void remember_window(MPI::Win& win, int* code, ...) {
  EXPECT(win != MPI::WIN_NULL);
  told = MPI::Get_error_class(*code);
}

void handlers_of_the_program_are_called() {
  MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
  MPI::Errhandler handler = MPI::Comm::Create_errhandler(remember);
  comm.Set_errhandler(handler);
  EXPECT(comm.Get_errhandler() == handler);
  comm.Send(nullptr, 0, MPI::INT, 99, 0);
  EXPECT(told == MPI::ERR_RANK);
  comm.Call_errhandler(MPI::ERR_OTHER);
  EXPECT(told == MPI::ERR_OTHER);
  handler.Free();

  handler = MPI::Comm::Create_errhandler(throw_one_of_its_own);
  comm.Set_errhandler(handler);
  handler.Free();
  bool caught = false;
  try {
    comm.Send(nullptr, 0, MPI::INT, 99, 0);
  } catch (const std::out_of_range& exception) {
    caught = std::strcmp(exception.what(), "rank") == 0;
  }
  EXPECT(caught);
  caught = false;
  try {
    comm.Call_errhandler(MPI::ERR_OTHER);
  } catch (const std::out_of_range&) {
    caught = true;
  }
  EXPECT(caught);
  comm.Free();

  int memory = 0;
  MPI::Win win = MPI::Win::Create(&memory, sizeof memory, 1, MPI::INFO_NULL, MPI::COMM_WORLD);
  handler = MPI::Win::Create_errhandler(remember_window);
  win.Set_errhandler(handler);
  handler.Free();
  win.Complete();
  EXPECT(told == MPI::ERR_RMA_SYNC);
  win.Free();
}

void an_error_of_c_is_thrown_by_the_next_call_of_cxx() {
  MPI_Send(nullptr, 0, MPI_INT, 99, 0, MPI_COMM_WORLD);
  EXPECT_THROWS(MPI::ERR_RANK, "99", MPI::COMM_WORLD.Get_size());
  EXPECT(MPI::COMM_WORLD.Get_size() >= 1);
}

void raising_an_error_throws_it() {
  const int code = MPI::Add_error_code(MPI::Add_error_class());
  MPI::Add_error_string(code, "raised");
  EXPECT_THROWS(MPI::Get_error_class(code), "raised", MPI::COMM_WORLD.Call_errhandler(code));
}

}  // namespace

int main() {
  return run(wrong_arguments_throw_and_are_named, an_exception_tells_code_class_and_text,
             truncation_throws_where_it_is_found, returned_errors_are_ignored, the_handler_that_throws_is_recognized,
             handlers_of_the_program_are_called, an_error_of_c_is_thrown_by_the_next_call_of_cxx,
             raising_an_error_throws_it);
}
