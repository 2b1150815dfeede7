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
    char* packed = memory_.get();
    each(static_cast<int>(dims_.size()) - 1, base_, [&](char* element) {
      std::memcpy(packed, element, elem_len_);
      packed += elem_len_;
    });
  }

  [[nodiscard]] void* address() const { return memory_.get(); }

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

// Copies by request. Several may have one: what was there first ends first, when a number is used again at once.
std::mutex mutex;
std::multimap<int, std::unique_ptr<Copy>> pending;
std::atomic<bool> is_any_pending = false;

}  // namespace

Scratch::Scratch(const CFI_cdesc_t* array, Use use) : address_(buffer_address(array->base_addr)) {
  if (is_contiguous(array)) return;
  copy_ = std::make_unique<Copy>(array, use);
  address_ = copy_->address();
}

Scratch::~Scratch() {
  if (copy_) copy_->give_back();
}

void Scratch::keep_until(int request) {
  if (!copy_) return;
  const std::lock_guard lock(mutex);
  pending.emplace(request, std::move(copy_));
  is_any_pending = true;
}

void request_is_over(int number) {
  if (!is_any_pending) return;
  const std::lock_guard lock(mutex);
  const auto [first, last] = pending.equal_range(number);
  for (auto place = first; place != last; ++place) place->second->give_back();
  pending.erase(first, last);
  is_any_pending = !pending.empty();
}

int Contiguous::error() const {
  if (is_right_) return MPI_SUCCESS;
  return error_code(MPI_ERR_BUFFER,
                    "the choice buffer is an array section that is not contiguous, which persistent collective and "
                    "partitioned operations do not take: pass a contiguous array");
}

}  // namespace antiphon::fortran
