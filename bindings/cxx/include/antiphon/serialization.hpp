// Objects that are more than their bytes (strings, vectors of vectors, maps, pointers that own, structs of such),
// sent as bytes that cereal writes and reads. A program that wants this includes this header; mpi.hpp does not.
//
//   world.send(antiphon::serialized(config), {.to = 1});
//   auto config = world.recv<antiphon::serialized<settings>>({.from = 0}).value();
//   config = world.bcast(antiphon::serialized(config), {.root = 0}).value();
//   auto all = world.allgather(antiphon::serialized(config));    // a std::vector<settings>
//
// A serialized<T> holds the bytes of an object, and is a container of bytes for whatever takes one. Structs are taken
// apart as everywhere (members.hpp); a class with a function `serialize` for cereal uses that. What comes is checked:
// value() throws antiphon::error where the bytes are no T, and allocates no more than the message can fill.
#pragma once

#if !__has_include(<cereal/cereal.hpp>)
#error "antiphon/serialization.hpp needs cereal, a library of headers: apt install libcereal-dev"
#endif

#include <mpi.h>

#include <cereal/cereal.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/set.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/tuple.hpp>
#include <cereal/types/unordered_map.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/variant.hpp>
#include <cereal/types/vector.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "datatype.hpp"
#include "error.hpp"
#include "members.hpp"
#include "ragged.hpp"

namespace antiphon {

namespace detail {

// cereal's archives over memory. Its own go through streams, and believe the lengths that they read.
class byte_writer : public cereal::OutputArchive<byte_writer> {
 public:
  explicit byte_writer(std::vector<std::byte>& to) : OutputArchive(this), to_(to) {}

  void write(const void* from, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(from);
    to_.insert(to_.end(), first, first + size);
  }

 private:
  std::vector<std::byte>& to_;
};

class byte_reader : public cereal::InputArchive<byte_reader> {
 public:
  explicit byte_reader(std::span<const std::byte> from) : InputArchive(this), from_(from) {}

  void read(void* to, std::size_t size) {
    require(size, "bytes");
    if (size > 0) std::memcpy(to, from_.data(), size);
    from_ = from_.subspan(size);
  }
  // Before a container makes room: each element that follows takes at least one byte.
  void require(std::uint64_t count, const char* what) const {
    if (count > from_.size())
      throw cereal::Exception("it announces " + std::to_string(count) + " " + what + " where " +
                              std::to_string(from_.size()) + " bytes are left");
  }
  void require_end() const {
    if (!from_.empty()) throw cereal::Exception(std::to_string(from_.size()) + " bytes are left at its end");
  }

 private:
  std::span<const std::byte> from_;
};

// What cereal asks of an archive, in functions that it finds by these names.
template <class T>
requires std::is_arithmetic_v<T>
void CEREAL_SAVE_FUNCTION_NAME(byte_writer& to, const T& value) { to.write(std::addressof(value), sizeof value); }
template <class T>
requires std::is_arithmetic_v<T>
void CEREAL_LOAD_FUNCTION_NAME(byte_reader& from, T& value) {
  if constexpr (std::same_as<T, bool>) {
    unsigned char bits = 0;
    from.read(&bits, 1);
    if (bits > 1) throw cereal::Exception("a bool in it is " + std::to_string(bits));
    value = bits == 1;
  } else {
    from.read(std::addressof(value), sizeof value);
  }
}
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(byte_writer& to, const cereal::BinaryData<T>& memory) {
  to.write(memory.data, static_cast<std::size_t>(memory.size));
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(byte_reader& from, cereal::BinaryData<T>& memory) {
  from.read(memory.data, static_cast<std::size_t>(memory.size));
}
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(byte_writer& to, const cereal::SizeTag<T>& count) {
  to(static_cast<std::uint64_t>(count.size));
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(byte_reader& from, cereal::SizeTag<T>& count) {
  std::uint64_t elements = 0;
  from(elements);
  from.require(elements, "elements");
  count.size = static_cast<std::remove_reference_t<T>>(elements);
}
template <any_of<byte_writer, byte_reader> Archive, class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(Archive& archive, cereal::NameValuePair<T>& named) {
  archive(named.value);
}

// An archive that gets no help from here: what it can write, cereal or the program knows how to.
class unaided : public cereal::OutputArchive<unaided> {
 public:
  unaided() : OutputArchive(this) {}
};

// Structs whose members can be seen, unless they say themselves how they are written.
template <class T>
concept written_by_members = (lists_members<T> ||
                              can_be_taken_apart<T>)&&!cereal::traits::is_output_serializable<T, unaided>::value;

template <any_of<byte_writer, byte_reader> Archive, written_by_members T>
void CEREAL_SERIALIZE_FUNCTION_NAME(Archive& archive, T& object) {
  std::apply([&](auto&... member) { archive(member...); }, members_of(object));
}

}  // namespace detail

template <class T>
class serialized {
 public:
  using value_type = std::byte;

  // No bytes: for a type that is asked for, and for ranks that have nothing to broadcast.
  serialized() = default;
  explicit serialized(const T& object) {
    detail::byte_writer writer(bytes_);
    writer(object);
  }

  // The object that these bytes are. Throws antiphon::error if they are none.
  [[nodiscard]] T value() const { return read(bytes_); }

  // The bytes, for MPI.
  [[nodiscard]] std::byte* data() noexcept { return bytes_.data(); }
  [[nodiscard]] const std::byte* data() const noexcept { return bytes_.data(); }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }
  void resize(std::size_t size) { bytes_.resize(size); }
  [[nodiscard]] auto begin() noexcept { return bytes_.begin(); }
  [[nodiscard]] auto begin() const noexcept { return bytes_.begin(); }
  [[nodiscard]] auto end() noexcept { return bytes_.end(); }
  [[nodiscard]] auto end() const noexcept { return bytes_.end(); }

  // What each rank brought: what gather makes of it, as objects have lengths of their own.
  [[nodiscard]] static std::vector<T> values(const ragged<std::byte>& blocks) {
    std::vector<T> result;
    result.reserve(static_cast<std::size_t>(blocks.size()));
    for (int rank = 0; rank < blocks.size(); ++rank) result.push_back(read(blocks[rank]));
    return result;
  }

 private:
  static T read(std::span<const std::byte> bytes) {
    const auto fail = [&](const std::string& why) {
      throw error(MPI_ERR_TYPE, "a message of " + std::to_string(bytes.size()) +
                                    " bytes is no serialized object of the type that was asked for: " + why);
    };
    T object{};
    try {
      detail::byte_reader reader(bytes);
      reader(object);
      reader.require_end();
    } catch (const cereal::Exception& problem) {
      fail(problem.what());
    } catch (const std::length_error& problem) {
      fail(problem.what());
    } catch (const std::bad_alloc& problem) {
      fail(problem.what());
    }
    return object;
  }

  std::vector<std::byte> bytes_;
};

}  // namespace antiphon

// So objects behind pointers to their base classes can be sent: CEREAL_REGISTER_TYPE.
CEREAL_REGISTER_ARCHIVE(antiphon::detail::byte_writer)
CEREAL_REGISTER_ARCHIVE(antiphon::detail::byte_reader)
CEREAL_SETUP_ARCHIVE_TRAITS(antiphon::detail::byte_reader, antiphon::detail::byte_writer)
