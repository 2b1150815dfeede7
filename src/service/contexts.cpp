#include "service/contexts.hpp"

#include "abi/constants.hpp"
#include "base/error.hpp"

namespace antiphon::service {

std::uint32_t Contexts::agree(coll::Collectives& coll, objects::Comm& parent) {
  const coll::Vector one_number{1, sizeof next_,
                                coll::reduce_kernel(objects::Op::Kind::max, objects::Element::uint32)};
  std::uint32_t agreed = 0;
  coll.allreduce(&next_, &agreed, one_number, parent);
  if (agreed > UINT32_MAX - 2)
    base::fail(abi::ERR_INTERN, "this process has made 2^31 communicators, the most there can be");
  next_ = agreed + 2;
  return agreed;
}

}  // namespace antiphon::service
