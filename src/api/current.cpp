#include "api/current.hpp"

namespace antiphon::api {

constinit Current current;

}  // namespace antiphon::api
