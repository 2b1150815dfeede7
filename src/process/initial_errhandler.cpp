#include "process/initial_errhandler.hpp"

#include <unistd.h>

#include "abi/constants.hpp"
#include "base/error.hpp"
#include "settings/given.hpp"

namespace antiphon::process {

namespace {

std::uintptr_t handle_of(settings::InitialErrhandler chosen) {
  switch (chosen) {
    case settings::InitialErrhandler::mpi_errors_return:
      return abi::ERRORS_RETURN;
    case settings::InitialErrhandler::mpi_errors_abort:
      return abi::ERRORS_ABORT;
    case settings::InitialErrhandler::mpi_errors_are_fatal:
      break;
  }
  return abi::ERRORS_ARE_FATAL;
}

}  // namespace

objects::Ref<objects::Errhandler> initial_errhandler(Anytime& anytime, const settings::Values& settings) {
  return objects::Ref<objects::Errhandler>::share(*anytime.find_errhandler(handle_of(settings.initial_errhandler)));
}

objects::Ref<objects::Errhandler> initial_errhandler(Anytime& anytime) {
  settings::Values values;
  try {
    settings::apply(settings::given_by(environ), values);
  } catch (const base::Error&) {  // MPI_Init reports the invalid setting
  }
  return initial_errhandler(anytime, values);
}

}  // namespace antiphon::process
