#include "scratch.hpp"

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

namespace antiphon::fortran {

class Copy {
 public:
  Copy(const CFI_cdesc_t* array, Scratch::Use use)
      : base_(static_cast<char*>(array->base_addr)),
        elem_len_(array->elem_len),
        dims_(array->dim, array->dim + array->rank),
        use_(use) {
    std::size_t bytes = elem_len_;
    for (const CFI_dim_t& dim : dims_) bytes *= static_cast<std::size_t>(dim.extent);
    memory_ = std::make_unique<char[]>(bytes);
    take();
  }

  [[nodiscard]] void* address() const { return memory_.get(); }

  void take() {
    char* packed = memory_.get();
    each(static_cast<int>(dims_.size()) - 1, base_, [&](char* element) {
      std::memcpy(packed, element, elem_len_);
      packed += elem_len_;
    });
  }

  void give_back() {
    if (use_ == Scratch::Use::read) return;
    const char* packed = memory_.get();
    each(static_cast<int>(dims_.size()) - 1, base_, [&](char* element) {
      std::memcpy(element, packed, elem_len_);
      packed += elem_len_;
    });
  }

 private:
  // In the order of array elements.
  template <class Function>
  void each(int dimension, char* at, const Function& function) {
    if (dimension < 0) return function(at);
    const CFI_dim_t& dim = dims_[static_cast<std::size_t>(dimension)];
    for (CFI_index_t i = 0; i < dim.extent; ++i) each(dimension - 1, at + i * dim.sm, function);
  }

  char* base_;
  std::size_t elem_len_;
  std::vector<CFI_dim_t> dims_;
  Scratch::Use use_;
  std::unique_ptr<char[]> memory_;
};

namespace {

struct Kept {
  std::unique_ptr<Copy> copy;
  bool is_persistent;
  bool is_under_way;
};

// Copies by request. Several may have one: what was there first ends first, when a number is used again at once.
std::mutex mutex;
std::multimap<int, Kept> all_kept;

void keep(int request, Kept kept) {
  const std::lock_guard lock(mutex);
  all_kept.emplace(request, std::move(kept));
  copies_are_kept = true;
}

template <class Function>
void each_kept(int request, const Function& function) {
  const auto [first, last] = all_kept.equal_range(request);
  for (auto place = first; place != last; ++place) function(place->second);
}

bool is_persistent_and_under_way(int request) {
  const std::lock_guard lock(mutex);
  bool is = false;
  each_kept(request, [&](const Kept& kept) { is = is || (kept.is_persistent && kept.is_under_way); });
  return is;
}

void give_back(int request) {
  each_kept(request, [](Kept& kept) {
    if (kept.is_under_way) kept.copy->give_back();
    kept.is_under_way = false;
  });
}

}  // namespace

std::atomic<bool> copies_are_kept = false;

Scratch::Scratch(const CFI_cdesc_t* array, Use use) : address_(buffer_address(array->base_addr)) {
  if (is_contiguous(array)) return;
  copy_ = std::make_unique<Copy>(array, use);
  address_ = copy_->address();
}

Scratch::~Scratch() {
  if (copy_) copy_->give_back();
}

void Scratch::keep_until(int request) {
  if (copy_) keep(request, {std::move(copy_), false, true});
}

void Scratch::keep_for_rounds_of(int request) {
  if (copy_) keep(request, {std::move(copy_), true, false});
}

void requests_begin(const int* requests, int count) {
  if (!copies_are_kept) return;
  const std::lock_guard lock(mutex);
  for (int i = 0; i < count; ++i)
    each_kept(requests[i], [](Kept& kept) {
      if (kept.is_under_way) return;  // MPI will refuse to begin it
      kept.copy->take();
      kept.is_under_way = true;
    });
}

void request_was_used(int number, MPI_Request now) {
  // A persistent request looks the same when it is over. MPI is asked without the lock: it may call the program.
  int is_over = now == MPI_REQUEST_NULL;
  if (!is_over && is_persistent_and_under_way(number)) PMPI_Request_get_status(now, &is_over, MPI_STATUS_IGNORE);
  if (!is_over) return;
  const std::lock_guard lock(mutex);
  give_back(number);
  if (now == MPI_REQUEST_NULL) all_kept.erase(number);
  copies_are_kept = !all_kept.empty();
}

}  // namespace antiphon::fortran
