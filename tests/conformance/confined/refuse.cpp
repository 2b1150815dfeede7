// refuse NAME[,NAME]... PROGRAM [ARGUMENT]...: runs a program whose system calls of these names fail with EPERM, as a
// container's seccomp profile makes them fail. Exit status 77: this kernel does not let us.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct Named {
  std::string_view name;
  unsigned number;
};
constexpr Named kKnown[] = {
    {"process_vm_readv", SYS_process_vm_readv},
    {"process_vm_writev", SYS_process_vm_writev},
    {"ptrace", SYS_ptrace},
    {"pidfd_getfd", SYS_pidfd_getfd},
    {"membarrier", SYS_membarrier},
    {"memfd_create", SYS_memfd_create},
    {"sched_setaffinity", SYS_sched_setaffinity},
};

std::vector<unsigned> numbers_of(std::string_view list) {
  std::vector<unsigned> numbers;
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), name.size() + 1));
    const std::size_t before = numbers.size();
    for (const Named& known : kKnown)
      if (known.name == name) numbers.push_back(known.number);
    if (numbers.size() == before) {
      std::fprintf(stderr, "refuse: '%s' is not in the list of this program\n", std::string(name).c_str());
      _exit(2);
    }
  }
  return numbers;
}

bool refuse(const std::vector<unsigned>& numbers) {
  std::vector<sock_filter> program{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const unsigned number : numbers) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog whole{static_cast<unsigned short>(program.size()), program.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  if (!refuse(numbers_of(argv[1]))) return 77;
  execvp(argv[2], argv + 2);
  std::perror(argv[2]);
  return 127;
}
