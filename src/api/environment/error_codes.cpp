// Error codes, classes and strings: MPI 5.0, 9.4 and 9.5. Valid at any time and from any thread.
#include "api/call.hpp"
#include "api/check.hpp"
#include "api/copy_out.hpp"

namespace antiphon::api {

namespace {

using Lock = std::lock_guard<std::mutex>;

[[noreturn]] void no_such_code(int errorcode) {
  base::fail(
      abi::ERR_ARG,
      fmt::format("errorcode={} is not an error code: pass a predefined one, or one that MPI_Add_error_class or "
                  "MPI_Add_error_code returned",
                  errorcode));
}

}  // namespace

void error_class(Call&, int errorcode, int* errorclass) {
  check::not_null(errorclass, "errorclass");
  const Lock lock(anytime().mutex);
  const std::optional<int> found = anytime().error_codes.class_of(errorcode);
  if (!found) no_such_code(errorcode);
  *errorclass = *found;
}

void error_string(Call&, int errorcode, char* string, int* resultlen) {
  check::not_null(string, "string");
  check::not_null(resultlen, "resultlen");
  const Lock lock(anytime().mutex);
  const std::optional<std::string> found = anytime().error_codes.string_of(errorcode);
  if (!found) no_such_code(errorcode);
  copy_text(string, resultlen, *found, abi::MAX_ERROR_STRING);
}

void add_error_class(Call&, int* errorclass) {
  check::not_null(errorclass, "errorclass");
  const Lock lock(anytime().mutex);
  *errorclass = anytime().error_codes.add_class();
}

void add_error_code(Call&, int errorclass, int* errorcode) {
  check::not_null(errorcode, "errorcode");
  const Lock lock(anytime().mutex);
  *errorcode = anytime().error_codes.add_code(errorclass);
}

void add_error_string(Call&, int errorcode, const char* string) {
  check::not_null(string, "string");
  const Lock lock(anytime().mutex);
  anytime().error_codes.set_string(errorcode, string);
}

void remove_error_class(Call&, int errorclass) {
  const Lock lock(anytime().mutex);
  anytime().error_codes.remove_class(errorclass);
}

void remove_error_code(Call&, int errorcode) {
  const Lock lock(anytime().mutex);
  anytime().error_codes.remove_code(errorcode);
}

void remove_error_string(Call&, int errorcode) {
  const Lock lock(anytime().mutex);
  anytime().error_codes.remove_string(errorcode);
}

}  // namespace antiphon::api
