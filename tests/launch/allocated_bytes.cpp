#include "allocated_bytes.hpp"

#include <cstdlib>
#include <new>

namespace {
thread_local std::size_t allocated = 0;
}

std::size_t allocated_bytes() { return allocated; }

// These replace the ones of the standard library in the whole program.
void* operator new(std::size_t bytes) {
  allocated += bytes;
  if (void* memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }
