#include "mpiexec/foreign_options.hpp"

#include "common/names.hpp"

namespace antiphon::launch {
namespace {

struct ForeignOptions {
  std::string_view names;
  std::string_view instead;
};

constexpr ForeignOptions kForeign[] = {
    {"mca gmca pmixmca prtemca omca am tune",
     "settings are given by --set NAME=VALUE (antiphon-info --settings lists all)"},
    {"rank-by rankfile rf cpus-per-proc cpus-per-rank cpu-set cpu-list bind-to-core bind-to-socket bycore bysocket "
     "bynode byslot pin order-nodes",
     "cpus are given to ranks by --bind-to WHERE and --map-by WHAT; --report-bindings shows them"},
    {"display-map display-allocation display-devel-map print-rank-map print-all-exitcodes info",
     "-v says what is started and where, and --report-bindings on which cpus"},
    {"rmk iface hydra plm rsh",
     "--host or --hostfile says where ranks run, and --launcher how they are started there"},
    {"noprefix", "--prefix DIR says where Antiphon is on other hosts, if it is not where it is here"},
    {"envlist genvlist envnone genvnone envexcl genvexcl",
     "ranks have the environment of mpiexec: -x VAR=VALUE changes a variable, env -i before mpiexec removes all"},
    {"output-filename outfile-pattern errfile-pattern merge-stderr-to-stdout",
     "redirect what mpiexec prints; -l says which line is from which rank"},
    {"stdin s", "standard input goes to rank 0"},
    {"gdb debug tv xterm totalview ddt",
     "put the debugger before the program, as in mpiexec -n 2 xterm -e gdb ./program"},
    {"profile tracing trace check_mpi", "--counters says what the ranks did"},
    {"disable-auto-cleanup enable-recovery continuous",
     "a rank that fails ends the job, unless it has called MPI_Finalize"},
    {"disable-hostname-propagation nolocal novm", "ranks run where --host or --hostfile says: leave it out"},
};

}  // namespace

std::optional<std::string_view> what_to_use_instead(std::string_view name) {
  for (const ForeignOptions& options : kForeign)
    if (has_name(options.names, name)) return options.instead;
  return std::nullopt;
}

}  // namespace antiphon::launch
