// Keeps several jobs of one machine apart: a job that binds its ranks claims their CPUs, and the next job of the
// same user takes others or leaves its ranks unbound. A claim is a bound socket in Linux's abstract name space,
// one for each CPU and user. It is in no file system, and ends with the process that holds it, however that ends.
// Since anybody can bind any such name, a claim counts only if its holder is the user that it names. Claims of
// other users are not binding: a job takes their CPUs last, but it does take them.
#pragma once

#include <vector>

namespace antiphon::launch {

class CoreClaims {
 public:
  CoreClaims() = default;
  CoreClaims(const CoreClaims&) = delete;
  CoreClaims& operator=(const CoreClaims&) = delete;
  ~CoreClaims();

  // Holds `cpu` until release() or the destructor. False if another job of this user holds it.
  bool claim(int cpu);
  void release();

 private:
  std::vector<int> sockets_;
};

// The CPUs that other users seem to claim; anybody can bind such a name, so this is not certain.
[[nodiscard]] std::vector<int> cpus_claimed_by_others();

}  // namespace antiphon::launch
