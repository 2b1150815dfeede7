// How jobs on one machine keep out of each other's way: a job that binds its ranks claims their cpus, and the next
// job takes others or leaves its ranks unbound. A claim is a bound socket in Linux's abstract name space: nothing in
// any file system, gone with the process that holds it, however that ends.
#pragma once

#include <vector>

namespace antiphon::launch {

class CoreClaims {
 public:
  CoreClaims() = default;
  CoreClaims(const CoreClaims&) = delete;
  CoreClaims& operator=(const CoreClaims&) = delete;
  ~CoreClaims();

  // Holds `cpu` until release() or the end. False when another job has it.
  bool claim(int cpu);
  void release();

 private:
  std::vector<int> sockets_;
};

}  // namespace antiphon::launch
