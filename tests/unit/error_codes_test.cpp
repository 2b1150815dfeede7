// The user's error classes, codes and strings by themselves.
#include "objects/error_codes.hpp"

#include <gtest/gtest.h>

#include "abi/constants.hpp"
#include "error_of.hpp"

namespace antiphon::objects {
namespace {

TEST(ErrorCodes, NumbersGrowAboveThePredefinedOnes) {
  ErrorCodes codes;
  const int* last_used = codes.last_used();
  EXPECT_EQ(*last_used, abi::ERR_LASTCODE);
  const int error_class = codes.add_class();
  const int code = codes.add_code(error_class);
  EXPECT_GT(error_class, abi::ERR_LASTCODE);
  EXPECT_GT(code, error_class);
  EXPECT_EQ(*last_used, code);
  codes.remove_code(code);
  EXPECT_GT(codes.add_code(abi::ERR_ARG), code) << "a number is given out once";
}

TEST(ErrorCodes, KnowTheirClass) {
  ErrorCodes codes;
  const int error_class = codes.add_class();
  EXPECT_EQ(codes.class_of(error_class), error_class);
  EXPECT_EQ(codes.class_of(codes.add_code(error_class)), error_class);
  EXPECT_EQ(codes.class_of(codes.add_code(abi::ERR_RANK)), abi::ERR_RANK);
  EXPECT_EQ(codes.class_of(abi::ERR_RANK), abi::ERR_RANK);
  EXPECT_EQ(codes.class_of(abi::ERR_LASTCODE + 1000), std::nullopt);
  EXPECT_EQ(codes.class_of(-1), std::nullopt);
}

TEST(ErrorCodes, HaveAnEmptyStringUntilTheyGetOne) {
  ErrorCodes codes;
  const int code = codes.add_code(abi::ERR_ARG);
  EXPECT_EQ(codes.string_of(code), "");
  codes.set_string(code, "too blue");
  EXPECT_EQ(codes.string_of(code), "too blue");
  codes.remove_string(code);
  EXPECT_EQ(codes.string_of(code), "");
  EXPECT_NE(codes.string_of(abi::ERR_ARG), "");
  EXPECT_EQ(codes.string_of(abi::ERR_LASTCODE + 1000), std::nullopt);
}

TEST(ErrorCodes, AreRemovedStringFirstThenCodeThenClass) {
  ErrorCodes codes;
  const int error_class = codes.add_class();
  const int code = codes.add_code(error_class);
  codes.set_string(code, "x");
  EXPECT_EQ(error_of([&] { codes.remove_code(code); }), abi::ERR_ARG);
  EXPECT_EQ(error_of([&] { codes.remove_class(error_class); }), abi::ERR_ARG);
  codes.remove_string(code);
  EXPECT_EQ(error_of([&] { codes.remove_string(code); }), abi::ERR_ARG);
  codes.remove_code(code);
  codes.remove_class(error_class);
  EXPECT_EQ(codes.class_of(error_class), std::nullopt);
  EXPECT_EQ(error_of([&] { codes.remove_class(error_class); }), abi::ERR_ARG);
}

TEST(ErrorCodes, KeepAClassThatHasAString) {
  ErrorCodes codes;
  const int error_class = codes.add_class();
  codes.set_string(error_class, "a class");
  EXPECT_EQ(error_of([&] { codes.remove_class(error_class); }), abi::ERR_ARG);
  EXPECT_EQ(codes.string_of(error_class), "a class");
  codes.remove_string(error_class);
  codes.remove_class(error_class);
  EXPECT_EQ(codes.class_of(error_class), std::nullopt);
}

TEST(ErrorCodes, DoNotMixUpClassesAndCodes) {
  ErrorCodes codes;
  const int error_class = codes.add_class();
  const int code = codes.add_code(error_class);
  EXPECT_EQ(error_of([&] { codes.remove_class(code); }), abi::ERR_ARG);
  EXPECT_EQ(error_of([&] { codes.remove_code(error_class); }), abi::ERR_ARG);
  EXPECT_EQ(error_of([&] { (void)codes.add_code(code); }), abi::ERR_ARG);
}

TEST(ErrorCodes, OfOneErrorKnowItsClassAndForAWhileItsSentence) {
  ErrorCodes codes;
  const int first = codes.code_of_one(abi::ERR_RANK, "the first");
  const int second = codes.code_of_one(abi::ERR_RANK, "the second");
  EXPECT_NE(first, second);
  EXPECT_EQ(codes.string_of(first), "the first");
  EXPECT_EQ(codes.string_of(second), "the second");
  for (std::size_t i = 0; i < ErrorCodes::kKept; ++i) (void)codes.code_of_one(abi::ERR_TAG, "another");
  EXPECT_EQ(codes.string_of(first), codes.string_of(abi::ERR_RANK));
  EXPECT_EQ(codes.class_of(first), abi::ERR_RANK);
  for (int i = 0; i < 100'000; ++i) EXPECT_EQ(codes.class_of(codes.code_of_one(abi::ERR_TAG, {})), abi::ERR_TAG);
  EXPECT_EQ(*codes.last_used(), abi::ERR_LASTCODE) << "these are no codes of the user's";
}

TEST(ErrorCodes, LeaveThePredefinedOnesAlone) {
  ErrorCodes codes;
  EXPECT_EQ(error_of([&] { codes.set_string(abi::ERR_ARG, "mine"); }), abi::ERR_ARG);
  EXPECT_EQ(error_of([&] { codes.remove_string(abi::ERR_ARG); }), abi::ERR_ARG);
  EXPECT_EQ(error_of([&] { codes.remove_class(abi::ERR_ARG); }), abi::ERR_ARG);
  EXPECT_EQ(error_of([&] { (void)codes.add_code(abi::SUCCESS); }), abi::ERR_ARG);
  EXPECT_EQ(error_of([&] { (void)codes.add_code(-5); }), abi::ERR_ARG);
}

TEST(ErrorCodes, RefuseAStringThatNobodyCouldRead) {
  ErrorCodes codes;
  const int code = codes.add_class();
  codes.set_string(code, std::string(abi::MAX_ERROR_STRING - 1, 'x'));
  EXPECT_EQ(error_of([&] { codes.set_string(code, std::string(abi::MAX_ERROR_STRING, 'x')); }), abi::ERR_ARG);
}

}  // namespace
}  // namespace antiphon::objects
