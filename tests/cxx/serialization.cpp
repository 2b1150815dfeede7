// Objects that are more than their bytes, and bytes that are no objects, through antiphon/serialization.hpp.
#include <antiphon/serialization.hpp>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "neighbors.hpp"

namespace {

using antiphon::serialized;
using antiphon::world;
using conformance::rank;
using conformance::size;

enum class shade : unsigned char { dark, light };

struct table {
  std::string name;
  std::vector<std::vector<double>> rows;
  friend bool operator==(const table&, const table&) = default;
};
struct settings {
  int id;
  bool active;
  shade look;
  table values;
  std::map<std::string, std::vector<std::string>> lists;
  std::optional<std::array<short, 3>> triple;
  std::pair<std::string, char> mark;
  friend bool operator==(const settings&, const settings&) = default;
};

// Differs from rank to rank in length, too.
settings settings_of(int r) {
  const auto length = static_cast<std::size_t>(r + 1);
  return {r,
          r % 2 == 0,
          shade::light,
          {std::string(length, 'n'), std::vector(length, std::vector<double>(2 * length, r + 0.5))},
          {{"empty", {}}, {"names", std::vector<std::string>(length, "name")}},
          r % 2 == 0 ? std::nullopt : std::optional(std::array<short, 3>{1, 2, static_cast<short>(r)}),
          {"mark", 'x'}};
}

// Says itself how it is written, so what it counts stays here.
class counted {
 public:
  counted() = default;
  explicit counted(std::string text) : text_(std::move(text)) {}
  const std::string& text() const { return text_; }
  int calls() const { return calls_; }
  template <class Archive>
  void serialize(Archive& archive) {
    ++calls_;
    archive(text_);
  }

 private:
  std::string text_;
  int calls_ = 0;
};

struct tree {
  int value = 0;
  std::vector<std::unique_ptr<tree>> children;
};

void objects_are_sent_and_received() {
  for (const int extra : {0, 1, 100}) {
    auto sent = world().isend(serialized(settings_of(rank() + extra)), {.to = right()});
    const auto got = world().recv<serialized<settings>>({.from = left()}).value();
    sent.get();
    expect(got == settings_of(left() + extra), "the settings differ");
  }
  if (size() > 1) {
    if (rank() == 0) world().send(serialized(std::vector<std::string>{"a", "", "bcd"}), {.to = 1, .tag = 5});
    if (rank() == 1) {
      auto message = world().probe({.from = 0, .tag = antiphon::any_tag});
      const auto words = message.recv<serialized<std::vector<std::string>>>().value();
      expect(words == std::vector<std::string>{"a", "", "bcd"}, "the words differ");
    }
  }
}

void an_object_of_the_root_goes_to_all() {
  for (int root = 0; root < size(); ++root) {
    auto mine = settings_of(rank());
    mine = world().bcast(serialized(mine), {.root = root}).value();
    expect(mine == settings_of(root), "the settings differ");
    const auto news = rank() == root ? serialized(std::string(100, 'r')) : serialized<std::string>();
    expect_equal(world().bcast(serialized(news), {.root = root}).value(), std::string(100, 'r'), "the text");
  }
}

void objects_of_all_lengths_are_gathered() {
  const auto all = world().allgather(serialized(settings_of(rank())));
  expect_equal(all.size(), static_cast<std::size_t>(size()), "the number of objects");
  for (int r = 0; r < size(); ++r) expect(all[static_cast<std::size_t>(r)] == settings_of(r), "an object differs");
  for (int root = 0; root < size(); ++root) {
    const auto on_root = world().gather(serialized(settings_of(rank())), {.root = root});
    expect(rank() == root ? on_root == all : on_root.empty(), "what the root has differs");
  }
  std::vector<serialized<std::string>> letters;
  for (int r = 0; r < size(); ++r) letters.emplace_back(std::string(static_cast<std::size_t>(r), 'a'));
  const auto came = serialized<std::string>::values(world().alltoallv(antiphon::ragged<std::byte>::of(letters)));
  for (const auto& letter : came) expect_equal(letter.size(), static_cast<std::size_t>(rank()), "a letter's length");
}

void classes_write_themselves_and_pointers_own() {
  counted text("text");
  const auto got = serialized(text).value();
  expect(got.text() == "text" && got.calls() == 1, "the class was not read by its own function");
  tree root{1, {}};
  root.children.push_back(std::make_unique<tree>());
  root.children.back()->value = 2;
  root.children.push_back(nullptr);
  const auto same = serialized(root).value();
  expect(same.children.size() == 2 && same.children[0]->value == 2 && !same.children[1], "the tree differs");
}

// Every message of which a part is missing, or which has too much, is refused with a sentence, and the next one
// comes.
void bad_bytes_are_errors() {
  const serialized whole(settings_of(2));
  const auto value_of = [](const std::vector<std::byte>& bytes) {
    auto sent = world().isend(std::vector(bytes), {.to = rank()});
    auto got = world().recv<serialized<settings>>({.from = rank()});
    sent.get();
    return got.value();
  };
  const std::vector<std::byte> bytes(whole.begin(), whole.end());
  expect(value_of(bytes) == settings_of(2), "the whole is not read");
  for (std::size_t length = 0; length < bytes.size(); ++length)
    expect_equal(error_class_of([&] {
                   (void)value_of({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)});
                 }),
                 MPI_ERR_TYPE, "the error of " + std::to_string(length) + " bytes");
  auto longer = bytes;
  longer.push_back(std::byte{});
  expect_equal(error_class_of([&] { (void)value_of(longer); }), MPI_ERR_TYPE, "the error of a byte too many");
  auto neither = bytes;
  neither[sizeof(int)] = std::byte{2};
  expect_equal(error_class_of([&] { (void)value_of(neither); }), MPI_ERR_TYPE, "the error of a bool that is 2");
}

// A length that no message could have makes nobody allocate.
void lengths_are_checked_before_there_is_room() {
  for (const std::uint64_t length : {std::uint64_t{9}, std::uint64_t{1} << 33, ~std::uint64_t{0}}) {
    std::array<std::byte, sizeof length + 8> bytes{};
    std::memcpy(bytes.data(), &length, sizeof length);
    auto sent = world().isend(std::span(std::as_const(bytes)), {.to = rank()});
    const auto got = world().recv<serialized<std::vector<std::string>>>({.from = rank()});
    sent.get();
    std::string sentence;
    try {
      (void)got.value();
    } catch (const antiphon::error& problem) {
      sentence = problem.what();
    }
    expect(sentence.find("announces " + std::to_string(length) + " elements where 8 bytes are left") !=
               std::string::npos,
           "the sentence is: " + sentence);
  }
}

// Whatever the bytes are, they are an object or an error.
void random_bytes_are_an_object_or_an_error() {
  const serialized whole(settings_of(1));
  std::uint64_t state = 1 + static_cast<std::uint64_t>(rank());
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    serialized<settings> spoiled;
    spoiled.resize(whole.size());
    std::memcpy(spoiled.data(), whole.data(), whole.size());
    for (int change = 0; change < 3; ++change) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      spoiled.data()[(state >> 33) % spoiled.size()] = static_cast<std::byte>(state >> 25);
    }
    refused += error_class_of([&] { (void)spoiled.value(); }) != MPI_SUCCESS;
  }
  expect(refused > 0, "nothing was refused");
}

}  // namespace

int main() {
  return conformance::run({
      {"objects are sent and received", objects_are_sent_and_received},
      {"an object of the root goes to all", an_object_of_the_root_goes_to_all},
      {"objects of all lengths are gathered", objects_of_all_lengths_are_gathered},
      {"classes write themselves and pointers own", classes_write_themselves_and_pointers_own},
      {"bad bytes are errors", bad_bytes_are_errors},
      {"lengths are checked before there is room", lengths_are_checked_before_there_is_room},
      {"random bytes are an object or an error", random_bytes_are_an_object_or_an_error},
  });
}
