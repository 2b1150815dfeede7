// Files (MPI-2.2, 13): opening, views, each kind of access, errors.
#include <string>
#include <vector>

#include "expect.hpp"

namespace {

std::string name_of_file() {
  long id = static_cast<long>(MPI::Wtime() * 1e6) % 1000000007;
  MPI::COMM_WORLD.Bcast(&id, 1, MPI::LONG, 0);
  return "/tmp/antiphon-mpicxx-files." + std::to_string(id);
}

const int kMode = MPI::MODE_CREATE | MPI::MODE_RDWR | MPI::MODE_DELETE_ON_CLOSE;

void a_view_of_each_rank() {
  const int rank = MPI::COMM_WORLD.Get_rank(), size = MPI::COMM_WORLD.Get_size();
  MPI::File file = MPI::File::Open(MPI::COMM_WORLD, name_of_file().c_str(), kMode, MPI::INFO_NULL);
  file.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
  MPI::Datatype mine = MPI::INT.Create_resized(0, static_cast<MPI::Aint>(sizeof(int)) * size);
  mine.Commit();
  file.Set_view(static_cast<MPI::Offset>(sizeof(int)) * rank, MPI::INT, mine, "native", MPI::INFO_NULL);
  const int numbers[] = {rank, rank + 100, rank + 200};
  MPI::Status status;
  file.Write_all(numbers, 2, MPI::INT, status);
  EXPECT(status.Get_count(MPI::INT) == 2);
  file.Write(numbers + 2, 1, MPI::INT);
  EXPECT(file.Get_position() == 3);
  file.Sync();
  MPI::COMM_WORLD.Barrier();
  EXPECT(file.Get_size() == static_cast<MPI::Offset>(3 * sizeof(int)) * size);
  int back[3] = {-1, -1, -1};
  file.Iread_at(0, back, 3, MPI::INT).Wait(status);
  EXPECT(status.Get_count(MPI::INT) == 3);
  EXPECT(back[0] == rank && back[1] == rank + 100 && back[2] == rank + 200);
  file.Read_at_all_begin(1, back, 1, MPI::INT);
  file.Read_at_all_end(back);
  EXPECT(back[0] == rank + 100);
  EXPECT(file.Get_byte_offset(1) == static_cast<MPI::Offset>(sizeof(int)) * (rank + size));
  EXPECT(file.Get_amode() == kMode);
  mine.Free();
  file.Close();
  EXPECT(file == MPI::FILE_NULL);
}

void a_pointer_for_all() {
  const int rank = MPI::COMM_WORLD.Get_rank(), size = MPI::COMM_WORLD.Get_size();
  MPI::File file = MPI::File::Open(MPI::COMM_WORLD, name_of_file().c_str(), kMode, MPI::INFO_NULL);
  file.Set_view(0, MPI::INT, MPI::INT, "native", MPI::INFO_NULL);
  file.Write_ordered(&rank, 1, MPI::INT);
  EXPECT(file.Get_position_shared() == size);
  file.Seek_shared(0, MPI::SEEK_SET);
  int number = -1;
  file.Read_ordered(&number, 1, MPI::INT);
  EXPECT(number == rank);
  MPI::COMM_WORLD.Barrier();
  file.Iwrite_shared(&rank, 1, MPI::INT).Wait();
  MPI::COMM_WORLD.Barrier();
  EXPECT(file.Get_position_shared() == 2 * size);
  file.Close();
}

void errors() {
  MPI::FILE_NULL.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
  EXPECT_THROWS(MPI::ERR_NO_SUCH_FILE, "no/such/file",
                MPI::File::Open(MPI::COMM_WORLD, "no/such/file", MPI::MODE_RDONLY, MPI::INFO_NULL));
  EXPECT_THROWS(MPI::ERR_NO_SUCH_FILE, "no/such/file", MPI::File::Delete("no/such/file", MPI::INFO_NULL));
  MPI::FILE_NULL.Set_errhandler(MPI::ERRORS_RETURN);
}

}  // namespace

int main(int argc, char** argv) {
  MPI::Init(argc, argv);
  a_view_of_each_rank();
  a_pointer_for_all();
  errors();
  MPI::Finalize();
  return expect::failures() == 0 ? 0 : 1;
}
