#include "collective_data.hpp"

#include <algorithm>

namespace antiphon::sim {

namespace {

class Addition final : public objects::UserFunction {
 public:
  explicit Addition(std::function<void()> in_between) : in_between_(std::move(in_between)) {}
  void apply(const void* left, void* right, std::int64_t count, const objects::Datatype& type) const override {
    in_between_();
    for (std::int64_t i = 0; i < count; ++i)
      for (const int part : {-4, 8}) {
        std::int32_t in, inout;
        std::memcpy(&in, static_cast<const std::byte*>(left) + i * type.extent() + part, 4);
        std::memcpy(&inout, static_cast<std::byte*>(right) + i * type.extent() + part, 4);
        inout = static_cast<std::int32_t>((std::int64_t{in} + inout) % Affine::kPrime);
        std::memcpy(static_cast<std::byte*>(right) + i * type.extent() + part, &inout, 4);
      }
  }

 private:
  std::function<void()> in_between_;
};

objects::Ref<objects::Op> operation(Maps::Combined how, std::function<void()> in_between) {
  using objects::Op;
  if (how == Maps::Combined::in_order)
    return objects::Ref<Op>::adopt(new Op(std::make_unique<Composition>(std::move(in_between)), false));
  return objects::Ref<Op>::adopt(new Op(std::make_unique<Addition>(std::move(in_between)), true));
}

template <class T, class Combine>
std::unique_ptr<Elements> plain(const char* name, objects::Op::Kind op, objects::Element element, std::uint64_t mask,
                                Combine combine) {
  return std::make_unique<Plain<T, Combine>>(name, op, element, mask, combine);
}

}  // namespace

Maps::Maps(Combined how, std::function<void()> in_between)
    : how_(how),
      type_(affine_type()),
      op_(operation(how, std::move(in_between))),
      reduction_(*coll::Reduction::of(*op_, *type_)) {}

Value Maps::combined(Value left, Value right) const {
  const Affine first = unpacked(left), then = unpacked(right);
  if (how_ == Combined::in_order) return packed(first.followed_by(then));
  return packed({static_cast<std::int32_t>((first.a + then.a) % Affine::kPrime),
                 static_cast<std::int32_t>((first.b + then.b) % Affine::kPrime)});
}

std::vector<std::unique_ptr<Elements>> all_elements(const std::function<void()>& in_between) {
  using objects::Element;
  using Kind = objects::Op::Kind;
  std::vector<std::unique_ptr<Elements>> all;
  all.push_back(plain<std::int32_t>("int32 sum", Kind::sum, Element::int32, 0xff'ffff,
                                    [](std::int32_t left, std::int32_t right) { return left + right; }));
  // Sums of such numbers are exact in any order.
  all.push_back(plain<double>("double sum", Kind::sum, Element::float64, 0xffff,
                              [](double left, double right) { return left + right; }));
  all.push_back(plain<std::uint32_t>("uint32 product", Kind::prod, Element::uint32, ~std::uint64_t{0},
                                     [](std::uint32_t left, std::uint32_t right) { return left * right; }));
  all.push_back(plain<std::int16_t>("int16 maximum", Kind::max, Element::int16, 0xffff,
                                    [](std::int16_t left, std::int16_t right) { return std::max(left, right); }));
  all.push_back(plain<std::uint8_t>("uint8 exclusive or", Kind::bxor, Element::uint8, 0xff,
                                    [](std::uint8_t left, std::uint8_t right) { return left ^ right; }));
  all.push_back(std::make_unique<Maps>(Maps::Combined::in_order, in_between));
  all.push_back(std::make_unique<Maps>(Maps::Combined::in_any_order, in_between));
  return all;
}

}  // namespace antiphon::sim
