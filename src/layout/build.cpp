#include "layout/build.hpp"

#include <limits>

#include "layout/walk.hpp"

namespace antiphon::layout {

namespace {

constexpr std::int64_t kShort = 16;      // runs, up to which a part of a list is taken apart into them
constexpr std::size_t kRegularRuns = 8;  // how many must follow at one distance to be worth a loop of their own
constexpr std::size_t kRegularNodes = 2;
constexpr int kDeepest = 100;  // lists in lists

NodeRef node(std::int64_t size, Node::Shape shape, int depth = 1) {
  return std::make_shared<const Node>(Node{size, std::move(shape), depth});
}
int depth_of(const NodeRef& node) { return node ? node->depth : 0; }
NodeRef strided(std::int64_t count, std::int64_t stride, std::int64_t block) {
  return node(count * block, Strided{count, stride, block, strided_kernel(block, stride)});
}

template <class Shape>
const Shape* as(const Placed& placed) {
  return placed.is_run() ? nullptr : std::get_if<Shape>(&placed.node->shape);
}

std::int64_t runs_in(const Node& node) {
  struct Count {
    std::int64_t operator()(const Strided& s) const { return s.count; }
    std::int64_t operator()(const Blocks<std::int32_t>& b) const {
      return static_cast<std::int64_t>(b.displacements.size());
    }
    std::int64_t operator()(const Blocks<std::int64_t>& b) const {
      return static_cast<std::int64_t>(b.displacements.size());
    }
    std::int64_t operator()(const Runs& r) const { return static_cast<std::int64_t>(r.entries.size()); }
    std::int64_t operator()(const Loop& l) const { return l.count > kShort ? l.count : l.count * runs_in(*l.body); }
    std::int64_t operator()(const Sequence&) const { return kShort + 1; }  // or it would not be one
  };
  return std::visit(Count{}, node.shape);
}

// Lists the runs of a part as parts.
struct TakeApart {
  std::vector<Placed>& into;

  void run(Address at, std::int64_t bytes) { into.push_back({static_cast<std::int64_t>(at), bytes, {}}); }
  void strided(Address at, std::int64_t count, const Strided& s) {
    for (std::int64_t i = 0; i < count; ++i) run(at + static_cast<Address>(i * s.stride), s.block);
  }
  template <class Displacement>
  void blocks(Address at, std::int64_t, std::int64_t, const Blocks<Displacement>& b) {
    for (const Displacement d : b.displacements) run(at + static_cast<Address>(std::int64_t{d}), b.block);
  }
  static constexpr bool stopped() { return false; }
};

// Short parts as their runs, neighbours without a gap as one.
std::vector<Placed> flattened(const std::vector<Placed>& parts) {
  std::vector<Placed> flat;
  flat.reserve(parts.size());
  TakeApart take_apart{flat};
  for (const Placed& part : parts) {
    if (part.size == 0) continue;
    if (part.is_run() || runs_in(*part.node) > kShort)
      flat.push_back(part);
    else
      Walk(take_apart).whole(*part.node, static_cast<Address>(part.displacement));
  }
  std::size_t kept = 0;
  for (Placed& part : flat) {
    if (kept != 0 && part.is_run() && flat[kept - 1].is_run() && flat[kept - 1].end() == part.displacement) {
      flat[kept - 1].size += part.size;
      continue;
    }
    if (&flat[kept] != &part) flat[kept] = std::move(part);
    ++kept;
  }
  flat.resize(kept);
  return flat;
}

// Which bytes from its place on the runs of a node take, if they are among the first `period`, at most 64, and in
// ascending order; else 0.
std::uint64_t mask_of(const Node& node, std::int64_t period) {
  if (period < 1 || period > 64 || node.size > period || runs_in(node) > kShort) return 0;
  std::vector<Placed> runs;
  TakeApart take_apart{runs};
  Walk(take_apart).whole(node, 0);
  std::uint64_t mask = 0;
  std::int64_t end = 0;
  for (const Placed& run : runs) {
    if (run.displacement < end || run.end() > period) return 0;
    mask |= ~std::uint64_t{0} >> (64 - run.size) << run.displacement;
    end = run.end();
  }
  return mask;
}

NodeRef loop(std::int64_t count, std::int64_t stride, NodeRef body) {
  const std::int64_t size = count * body->size;
  const PatternKernel kernel = pattern_kernel();
  const std::uint64_t mask = kernel.pack ? mask_of(*body, stride) : 0;
  return node(size, Loop{count, stride, std::move(body), mask, kernel});
}

bool alike(const Placed& a, const Placed& b) { return a.node == b.node && a.size == b.size; }

// How many parts from `first` on follow each other at one distance.
std::size_t regular_from(const std::vector<Placed>& parts, std::size_t first) {
  std::size_t end = first + 1;
  if (end == parts.size() || !alike(parts[first], parts[end])) return 1;
  const std::int64_t distance = parts[end].displacement - parts[first].displacement;
  do ++end;
  while (end != parts.size() && alike(parts[first], parts[end]) &&
         parts[end].displacement - parts[end - 1].displacement == distance);
  return end - first;
}

std::vector<Placed> with_loops(const std::vector<Placed>& parts) {
  std::vector<Placed> out;
  for (std::size_t i = 0; i < parts.size();) {
    const std::size_t count = regular_from(parts, i);
    const std::size_t enough = parts[i].is_run() ? kRegularRuns : kRegularNodes;
    if (count < std::min(enough, parts.size())) {
      out.push_back(parts[i++]);
      continue;
    }
    const std::int64_t distance = count == 1 ? 0 : parts[i + 1].displacement - parts[i].displacement;
    out.push_back(repeat(parts[i], static_cast<std::int64_t>(count), distance));
    i += count;
  }
  return out;
}

template <class Displacement>
NodeRef blocks(const Placed* first, const Placed* end) {
  std::vector<Displacement> displacements;
  displacements.reserve(static_cast<std::size_t>(end - first));
  for (const Placed* part = first; part != end; ++part)
    displacements.push_back(static_cast<Displacement>(part->displacement - first->displacement));
  const std::int64_t block = first->size;
  return node(block * (end - first),
              Blocks<Displacement>{block, std::move(displacements), listed_kernel<Displacement>(block)});
}

NodeRef runs(const Placed* first, const Placed* end) {
  std::vector<Runs::Entry> entries;
  entries.reserve(static_cast<std::size_t>(end - first));
  std::int64_t start = 0;
  for (const Placed* part = first; part != end; ++part) {
    entries.push_back({start, part->displacement - first->displacement});
    start += part->size;
  }
  return node(start, Runs{std::move(entries)});
}

// Several runs, none of which touches the next.
Placed list(const Placed* first, const Placed* end) {
  using Near = std::numeric_limits<std::int32_t>;
  bool equal = true, near = true;
  for (const Placed* part = first; part != end; ++part) {
    const std::int64_t distance = part->displacement - first->displacement;
    equal &= part->size == first->size;
    near &= distance >= Near::min() && distance <= Near::max();
  }
  NodeRef made = !equal ? runs(first, end)
                 : near ? blocks<std::int32_t>(first, end)
                        : blocks<std::int64_t>(first, end);
  return {first->displacement, made->size, made};
}

// Parts that are lists, as what they list.
void take_lists_apart(const NodeRef& part, std::int64_t size, std::int64_t displacement, std::vector<Placed>& into) {
  const auto* list = part ? std::get_if<Sequence>(&part->shape) : nullptr;
  if (!list) return into.push_back({displacement, size, part});
  for (std::size_t i = 0; i < list->entries.size(); ++i) {
    const Sequence::Entry& entry = list->entries[i];
    const std::int64_t end = i + 1 == list->entries.size() ? size : list->entries[i + 1].start;
    take_lists_apart(entry.node, end - entry.start, displacement + entry.displacement, into);
  }
}

std::vector<Placed> with_lists(const std::vector<Placed>& parts) {
  std::vector<Placed> out;
  const Placed* end = parts.data() + parts.size();
  for (const Placed* part = parts.data(); part != end;) {
    const Placed* after = std::find_if(part, end, [](const Placed& p) { return !p.is_run(); });
    if (after - part >= 2)
      out.push_back(list(part, after));
    else
      out.push_back(*(after = part + 1, part));
    part = after;
  }
  return out;
}

}  // namespace

Placed run(std::int64_t bytes) { return {0, bytes, {}}; }

Placed repeat(const Placed& body, std::int64_t count, std::int64_t stride) {
  if (body.size == 0 || count == 0) return {};
  if (count == 1) return body;
  const auto placed = [&](NodeRef made) { return Placed{body.displacement, count * body.size, std::move(made)}; };
  const auto continues = [&](std::int64_t before, std::int64_t each) {
    std::int64_t reached = 0;
    return !__builtin_mul_overflow(before, each, &reached) && reached == stride;
  };
  if (body.is_run()) return placed(stride == body.size ? NodeRef{} : strided(count, stride, body.size));
  if (const auto* s = as<Strided>(body); s && continues(s->count, s->stride))
    return placed(strided(count * s->count, s->stride, s->block));
  if (const auto* l = as<Loop>(body); l && continues(l->count, l->stride))
    return placed(loop(count * l->count, l->stride, l->body));
  return placed(loop(count, stride, body.node));
}

Placed join(const std::vector<Placed>& parts) {
  const std::vector<Placed> joined = with_lists(with_loops(flattened(parts)));
  if (joined.empty()) return {};
  if (joined.size() == 1) return joined.front();
  int depth = 1;
  for (const Placed& part : joined) depth = std::max(depth, depth_of(part.node) + 1);
  if (depth > kDeepest) {
    std::vector<Placed> flat;
    for (const Placed& part : joined) take_lists_apart(part.node, part.size, part.displacement, flat);
    if (flat.size() != joined.size()) return join(flat);
  }
  std::vector<Sequence::Entry> entries;
  std::int64_t start = 0;
  const std::int64_t base = joined.front().displacement;
  for (const Placed& part : joined) {
    entries.push_back({start, part.displacement - base, part.node});
    start += part.size;
  }
  return {base, start, node(start, Sequence{std::move(entries)}, depth)};
}

}  // namespace antiphon::layout
