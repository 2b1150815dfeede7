// Turns values into bytes and back. Both ends are the same build of Antiphon (wire/greeting.hpp), so plain data keeps
// its layout; lengths are checked nevertheless, so that no bytes, whatever they are, make a Reader read beyond them
// or allocate much more than they take. kFields lists the members of a struct.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace antiphon::launch {

// Specialized with a tuple of member pointers for each struct that is not plain data.
template <class T>
constexpr auto kFields = nullptr;

template <class T>
concept HasFields = !std::same_as<std::remove_const_t<decltype(kFields<T>)>, std::nullptr_t>;
template <class T>
concept PlainData =
    std::is_trivially_copyable_v<T> && !HasFields<T> && !std::same_as<T, std::string_view> && !std::same_as<T, bool>;

// The bytes are no value.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Writer {
 public:
  template <PlainData T>
  void put(const T& value) {
    // A struct without members takes a byte in memory, which has any value.
    if constexpr (!std::is_empty_v<T>) bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(bool value) { put(static_cast<std::uint8_t>(value)); }
  void put(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    bytes_.append(text);
  }
  void put(const std::string& text) { put(std::string_view{text}); }
  template <class T>
  void put(const std::vector<T>& values) {
    put(static_cast<std::uint32_t>(values.size()));
    for (const T& value : values) put(value);
  }
  template <class T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <HasFields T>
  void put(const T& value) {
    std::apply([&](auto... member) { (put(value.*member), ...); }, kFields<T>);
  }
  template <class... Choices>
  void put(const std::variant<Choices...>& value) {
    put(static_cast<std::uint8_t>(value.index()));
    std::visit([this](const auto& choice) { put(choice); }, value);
  }

  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Values that are views of text point into the bytes. Throws Malformed.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <PlainData T>
  void get(T& value) {
    if constexpr (!std::is_empty_v<T>)
      std::memcpy(static_cast<void*>(&value), next(sizeof value).data(), sizeof value);
  }
  void get(bool& value) {
    std::uint8_t number = 0;
    get(number);
    value = number != 0;
  }
  void get(std::string_view& text) { text = next(length()); }
  void get(std::string& text) { text = next(length()); }
  template <class T>
  void get(std::vector<T>& values) {
    values.clear();
    for (std::uint32_t left = length(); left > 0; --left) get(values.emplace_back());
  }
  template <class T>
  void get(std::optional<T>& value) {
    bool has_value = false;
    get(has_value);
    value.reset();
    if (has_value) get(value.emplace());
  }
  template <HasFields T>
  void get(T& value) {
    std::apply([&](auto... member) { (get(value.*member), ...); }, kFields<T>);
  }
  template <class... Choices>
  void get(std::variant<Choices...>& value) {
    std::uint8_t index = 0;
    get(index);
    if (index >= sizeof...(Choices)) throw Malformed("a message of an unknown kind");
    get_choice(value, index, std::index_sequence_for<Choices...>{});
  }

  // All bytes must have been read.
  void expect_end() const {
    if (!rest_.empty()) throw Malformed("a message with more bytes than its kind has");
  }

 private:
  std::string_view next(std::size_t bytes) {
    if (bytes > rest_.size()) throw Malformed("a message that is too short");
    const std::string_view found = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return found;
  }
  // Of a text or a list. Each element takes a byte at least.
  std::uint32_t length() {
    std::uint32_t count = 0;
    get(count);
    if (count > rest_.size()) throw Malformed("a message that is too short");
    return count;
  }
  template <class Variant, std::size_t... indices>
  void get_choice(Variant& value, std::size_t index, std::index_sequence<indices...> /*all*/) {
    ((index == indices ? get(value.template emplace<indices>()) : void()), ...);
  }

  std::string_view rest_;
};

}  // namespace antiphon::launch
