// How jobs on one machine keep out of each other's way: a job that binds its ranks claims their cpus, and the next
// job of the same user takes others or leaves its ranks unbound. A claim is a bound socket in Linux's abstract name
// space, one for each cpu and user: nothing in any file system, gone with the process that holds it, however that
// ends. As anybody can take any such name, a claim counts only if its holder is the user that it names. Claims of
// other users are a wish: a job takes their cpus last, but it does take them.
#pragma once

#include <vector>

namespace antiphon::launch {

class CoreClaims {
 public:
  CoreClaims() = default;
  CoreClaims(const CoreClaims&) = delete;
  CoreClaims& operator=(const CoreClaims&) = delete;
  ~CoreClaims();

  // Holds `cpu` until release() or the end. False when another job of this user has it.
  bool claim(int cpu);
  void release();

 private:
  std::vector<int> sockets_;
};

// The cpus that other users claim, or so they say.
[[nodiscard]] std::vector<int> cpus_claimed_by_others();

}  // namespace antiphon::launch
