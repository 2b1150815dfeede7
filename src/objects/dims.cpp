#include "objects/dims.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace antiphon::objects {

namespace {

// Whether base^exponent <= limit.
bool power_within(int base, int exponent, int limit) {
  long product = 1;
  for (int i = 0; i < exponent && product <= limit; ++i) product *= base;
  return product <= limit;
}

// The smallest r with r^degree >= value.
int ceil_root(int value, int degree) {
  int root = static_cast<int>(std::pow(value, 1.0 / degree));
  while (root > 1 && !power_within(root - 1, degree, value - 1)) --root;
  while (power_within(root, degree, value - 1)) ++root;
  return root;
}

std::vector<int> divisors_of(int number) {
  std::vector<int> divisors;
  for (int divisor = 1; divisor <= number / divisor; ++divisor) {
    if (number % divisor != 0) continue;
    divisors.push_back(divisor);
    if (divisor != number / divisor) divisors.push_back(number / divisor);
  }
  std::ranges::sort(divisors);
  return divisors;
}

// Largest first.
std::vector<int> primes_of(int number) {
  std::vector<int> primes;
  for (int factor = 2; factor <= number / factor; ++factor)
    while (number % factor == 0) {
      primes.push_back(factor);
      number /= factor;
    }
  if (number > 1) primes.push_back(number);
  return {primes.rbegin(), primes.rend()};
}

// Goes through the factorizations from the smallest factor up, larger choices first, and never into those whose
// largest factor cannot be small enough to beat what has been found. So the first of equals is the one wanted.
class Search {
 public:
  Search(int nodes, int count) : divisors_(divisors_of(nodes)), primes_(primes_of(nodes)) { choose(nodes, count); }
  [[nodiscard]] const std::vector<int>& best() const { return best_; }

 private:
  void choose(int rest, int count) {
    const int least = chosen_.empty() ? 1 : chosen_.back();
    if (count == 1) {
      if (rest < least) return;
      chosen_.push_back(rest);
      if (spread() < best_spread_) {
        best_spread_ = spread();
        best_ = chosen_;
      }
      chosen_.pop_back();
      return;
    }
    for (auto divisor = divisors_.rbegin(); divisor != divisors_.rend() && *divisor >= least; ++divisor) {
      if (rest % *divisor != 0 || !power_within(*divisor, count, rest)) continue;
      chosen_.push_back(*divisor);
      if (largest_at_least(rest / *divisor, count - 1) - chosen_.front() < best_spread_)
        choose(rest / *divisor, count - 1);
      chosen_.pop_back();
    }
  }

  // A bound for the largest of `count` factors of `rest`.
  [[nodiscard]] int largest_at_least(int rest, int count) const {
    const auto prime = std::ranges::find_if(primes_, [&](int factor) { return rest % factor == 0; });
    return std::max(ceil_root(rest, count), prime == primes_.end() ? 1 : *prime);
  }
  [[nodiscard]] int spread() const { return chosen_.back() - chosen_.front(); }

  std::vector<int> divisors_, primes_;
  std::vector<int> chosen_, best_;  // ascending
  int best_spread_ = std::numeric_limits<int>::max();
};

}  // namespace

std::vector<int> balanced_dims(int nodes, int count) {
  const Search search(nodes, count);
  return {search.best().rbegin(), search.best().rend()};
}

}  // namespace antiphon::objects
