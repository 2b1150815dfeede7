// What a program asks about its environment: predefined attributes, names, memory, threads, the binary interface.
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>

#include "expect.hpp"

namespace {

int predefined(int key) {
  int *value = nullptr, flag = 0;
  EXPECT_SUCCESS(MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag));
  EXPECT_EQUAL(flag, 1);
  return flag ? *value : 0;
}

// The processes of one node, which have one clock.
int ranks_on_this_node() {
  MPI_Comm node;
  int size = 0;
  EXPECT_SUCCESS(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
  MPI_Comm_size(node, &size);
  MPI_Comm_free(&node);
  return size;
}

void predefined_attributes() {
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  EXPECT_EQUAL(predefined(MPI_TAG_UB), 0x7fffffff);
  EXPECT_EQUAL(predefined(MPI_HOST), MPI_PROC_NULL);
  EXPECT_EQUAL(predefined(MPI_IO), MPI_ANY_SOURCE);
  EXPECT_EQUAL(predefined(MPI_WTIME_IS_GLOBAL), ranks_on_this_node() == size ? 1 : 0);
  EXPECT_EQUAL(predefined(MPI_APPNUM), 0);
  EXPECT_TRUE(predefined(MPI_UNIVERSE_SIZE) >= size);
  EXPECT_TRUE(predefined(MPI_LASTUSEDCODE) >= MPI_ERR_LASTCODE);
  void* value = nullptr;
  int flag = 0;
  EXPECT_SUCCESS(MPI_Attr_get(MPI_COMM_SELF, MPI_TAG_UB, &value, &flag));
  EXPECT_TRUE(flag && *static_cast<int*>(value) == 0x7fffffff);
}

std::string name_of(MPI_Comm comm) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = -1;
  EXPECT_SUCCESS(MPI_Comm_get_name(comm, name, &length));
  EXPECT_EQUAL(length, std::strlen(name));
  return name;
}
std::string name_of(MPI_Datatype type) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = -1;
  EXPECT_SUCCESS(MPI_Type_get_name(type, name, &length));
  EXPECT_EQUAL(length, std::strlen(name));
  return name;
}

void names() {
  EXPECT_TRUE(name_of(MPI_COMM_WORLD) == "MPI_COMM_WORLD");
  EXPECT_TRUE(name_of(MPI_COMM_SELF) == "MPI_COMM_SELF");
  EXPECT_TRUE(name_of(MPI_COMM_NULL) == "MPI_COMM_NULL");
  EXPECT_TRUE(name_of(MPI_INT) == "MPI_INT");
  EXPECT_TRUE(name_of(MPI_DATATYPE_NULL) == "MPI_DATATYPE_NULL");
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  EXPECT_TRUE(name_of(comm).empty());
  const std::string long_name(1000, 'n');
  EXPECT_SUCCESS(MPI_Comm_set_name(comm, long_name.c_str()));
  EXPECT_EQUAL(name_of(comm).size(), MPI_MAX_OBJECT_NAME - 1);
  MPI_Comm_free(&comm);
  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_INT, &type);
  EXPECT_TRUE(name_of(type).empty());
  EXPECT_SUCCESS(MPI_Type_set_name(type, "pair"));
  EXPECT_TRUE(name_of(type) == "pair");
  MPI_Type_free(&type);
}

void memory() {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_minimum_memory_alignment", "4096");
  MPI_Info_set(info, "colour", "blue");
  char* base = nullptr;
  EXPECT_SUCCESS(MPI_Alloc_mem(100000, info, &base));
  EXPECT_EQUAL(reinterpret_cast<std::uintptr_t>(base) % 4096, 0);
  std::memset(base, 1, 100000);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  EXPECT_ERROR(MPI_Free_mem(base + 1), MPI_ERR_BASE);
  EXPECT_SUCCESS(MPI_Free_mem(base));
  EXPECT_ERROR(MPI_Free_mem(base), MPI_ERR_BASE);
  EXPECT_ERROR(MPI_Alloc_mem(MPI_Aint{1} << 60, MPI_INFO_NULL, &base), MPI_ERR_NO_MEM);
  EXPECT_ERROR(MPI_Alloc_mem(-1, MPI_INFO_NULL, &base), MPI_ERR_ARG);
  EXPECT_ERROR(MPI_Alloc_mem(1, MPI_INFO_NULL, nullptr), MPI_ERR_ARG);
  MPI_Info_set(info, "mpi_minimum_memory_alignment", "3");
  EXPECT_ERROR(MPI_Alloc_mem(1, info, &base), MPI_ERR_INFO_VALUE);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  EXPECT_SUCCESS(MPI_Alloc_mem(0, MPI_INFO_NULL, &base));
  EXPECT_SUCCESS(MPI_Free_mem(base));
  MPI_Info_free(&info);
}

void hardware() {
  MPI_Info info;
  EXPECT_SUCCESS(MPI_Get_hw_resource_info(&info));
  int keys = 0, flag = 0;
  EXPECT_SUCCESS(MPI_Info_get_nkeys(info, &keys));
  EXPECT_TRUE(keys >= 2);  // the machine, and the cpu that runs this
  for (int i = 0; i < keys; ++i) {
    char key[MPI_MAX_INFO_KEY], value[8] = "";
    int size = sizeof value;
    EXPECT_SUCCESS(MPI_Info_get_nthkey(info, i, key));
    EXPECT_EQUAL(std::strncmp(key, "hwloc://", 8), 0);
    EXPECT_SUCCESS(MPI_Info_get_string(info, key, &size, value, &flag));
    const bool is_true = std::strcmp(value, "true") == 0;
    EXPECT_TRUE(flag && (is_true || std::strcmp(value, "false") == 0));
    if (std::strcmp(key, "hwloc://Machine") == 0) EXPECT_TRUE(is_true);
  }
  EXPECT_SUCCESS(MPI_Info_free(&info));
}

void threads(int provided) {
  int level = -1, is_main = -1;
  EXPECT_SUCCESS(MPI_Query_thread(&level));
  EXPECT_EQUAL(level, provided);
  EXPECT_SUCCESS(MPI_Is_thread_main(&is_main));
  EXPECT_EQUAL(is_main, 1);
  std::thread([&] { MPI_Is_thread_main(&is_main); }).join();
  EXPECT_EQUAL(is_main, 0);
}

void binary_interface() {
  int major = 0, minor = -1, is_set = -1;
  EXPECT_SUCCESS(MPI_Abi_get_version(&major, &minor));
  EXPECT_TRUE(major == 1 && minor == 0);
  MPI_Info info;
  EXPECT_SUCCESS(MPI_Abi_get_info(&info));
  char value[16];
  int size = sizeof value, flag = 0;
  EXPECT_SUCCESS(MPI_Info_get_string(info, "mpi_count_size", &size, value, &flag));
  EXPECT_TRUE(flag && std::strcmp(value, "8") == 0);
  MPI_Info_free(&info);
  EXPECT_SUCCESS(MPI_Abi_get_fortran_info(&info));
  EXPECT_TRUE(info == MPI_INFO_NULL);
  int yes = 1, no = 0, found_yes = -1, found_no = -1;
  EXPECT_SUCCESS(MPI_Abi_get_fortran_booleans(4, &found_yes, &found_no, &is_set));
  EXPECT_EQUAL(is_set, 0);
  EXPECT_SUCCESS(MPI_Abi_set_fortran_booleans(4, &yes, &no));
  EXPECT_SUCCESS(MPI_Abi_get_fortran_booleans(4, &found_yes, &found_no, &is_set));
  EXPECT_TRUE(is_set && found_yes == 1 && found_no == 0);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  EXPECT_ERROR(MPI_Abi_set_fortran_booleans(4, &yes, &no), MPI_ERR_ABI);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

void handles_as_integers() {
  EXPECT_TRUE(MPI_Comm_fromint(MPI_Comm_toint(MPI_COMM_WORLD)) == MPI_COMM_WORLD);
  EXPECT_TRUE(MPI_Type_fromint(MPI_Type_toint(MPI_INT)) == MPI_INT);
  EXPECT_TRUE(MPI_Op_fromint(MPI_Op_toint(MPI_SUM)) == MPI_SUM);
  EXPECT_TRUE(MPI_Errhandler_fromint(MPI_Errhandler_toint(MPI_ERRORS_RETURN)) == MPI_ERRORS_RETURN);
  EXPECT_TRUE(MPI_Request_fromint(MPI_Request_toint(MPI_REQUEST_NULL)) == MPI_REQUEST_NULL);
  EXPECT_TRUE(MPI_Win_fromint(MPI_Win_toint(MPI_WIN_NULL)) == MPI_WIN_NULL);
  EXPECT_TRUE(MPI_File_fromint(MPI_File_toint(MPI_FILE_NULL)) == MPI_FILE_NULL);
  EXPECT_TRUE(MPI_Group_fromint(MPI_Group_toint(MPI_GROUP_EMPTY)) == MPI_GROUP_EMPTY);
  for (int round = 0; round < 3; ++round) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    EXPECT_TRUE(MPI_Comm_fromint(MPI_Comm_toint(comm)) == comm);
    MPI_Info info;
    MPI_Info_create(&info);
    EXPECT_TRUE(MPI_Info_fromint(MPI_Info_toint(info)) == info);
    MPI_Group group;
    MPI_Comm_group(comm, &group);
    EXPECT_TRUE(MPI_Group_fromint(MPI_Group_toint(group)) == group);
    MPI_Group_free(&group);
    MPI_Info_free(&info);
    MPI_Comm_free(&comm);
  }
  MPI_Request request;
  MPI_Message message;
  MPI_Isend(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
  MPI_Mprobe(0, 0, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
  EXPECT_TRUE(MPI_Message_fromint(MPI_Message_toint(message)) == message);
  EXPECT_TRUE(MPI_Message_fromint(MPI_Message_toint(MPI_MESSAGE_NO_PROC)) == MPI_MESSAGE_NO_PROC);
  MPI_Mrecv(nullptr, 0, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int rank;
  for (int number : {-1, 0, 77, 0x1000, 0x7fffffff})
    EXPECT_ERROR(MPI_Comm_rank(MPI_Comm_fromint(number), &rank), MPI_ERR_COMM);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

}  // namespace

int main(int argc, char** argv) {
  int provided = -1;
  EXPECT_SUCCESS(MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided));
  EXPECT_EQUAL(provided, MPI_THREAD_SERIALIZED);
  predefined_attributes();
  names();
  memory();
  hardware();
  threads(provided);
  binary_interface();
  handles_as_integers();
  EXPECT_SUCCESS(MPI_Pcontrol(1));
  EXPECT_SUCCESS(MPI_Pcontrol(2, "with", 3, "more"));
  MPI_Finalize();
  return expect::failures != 0;
}
