// Hosts as users and resource managers write them.
#include <gtest/gtest.h>

#include <stdexcept>

#include "hosts/host_list.hpp"

namespace antiphon::launch {
namespace {

using Hosts = std::vector<HostSlots>;
using Names = std::vector<std::string>;

std::string complaint(std::string_view text) {
  try {
    (void)parse_hosts(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(HostList, HasHostsInOrderWithTheirSlots) {
  EXPECT_EQ(parse_hosts("h1:4,h2,h1"), (Hosts{{"h1", 4}, {"h2", 0}, {"h1", 0}}));
  EXPECT_EQ(parse_hosts("node-7.site.org:8192"), (Hosts{{"node-7.site.org", 8192}}));
}

TEST(HostList, RangesStandForNumbersOfTheSameWidth) {
  EXPECT_EQ(expand_names("n[1-3]"), (Names{"n1", "n2", "n3"}));
  EXPECT_EQ(expand_names("n[8-11]"), (Names{"n8", "n9", "n10", "n11"}));
  EXPECT_EQ(expand_names("n[08-11,099,7]x"), (Names{"n08x", "n09x", "n10x", "n11x", "n099x", "n7x"}));
  EXPECT_EQ(expand_names("r[1-2]n[3-4],login"), (Names{"r1n3", "r1n4", "r2n3", "r2n4", "login"}));
  EXPECT_EQ(expand_names("[5-6]"), (Names{"5", "6"}));
}

TEST(HostList, SlotsAfterARangeAreThoseOfEachHost) {
  EXPECT_EQ(parse_hosts("n[1,3]:2,m:1"), (Hosts{{"n1", 2}, {"n3", 2}, {"m", 1}}));
}

TEST(HostList, AddressesOfIPv6HaveSlotsIfTheyAreInBrackets) {
  EXPECT_EQ(parse_hosts("fd00::1,::1"), (Hosts{{"fd00::1", 0}, {"::1", 0}}));
  EXPECT_EQ(parse_hosts("[fd00::1]:4,[fe80::2%eth0],h:2"), (Hosts{{"fd00::1", 4}, {"fe80::2%eth0", 0}, {"h", 2}}));
}

TEST(HostList, MistakesAreNamed) {
  for (const auto& [text, why] : std::initializer_list<std::pair<const char*, const char*>>{
           {"", "'' names no host"},
           {"a,,b", "'a,,b' names no host"},
           {"a,", "'a,' names no host"},
           {":4", "':4' names no host"},
           {"a:", "'' is not a number of slots for a (valid: 1 to 8192)"},
           {"a:0", "'0' is not a number of slots for a"},
           {"a:-1", "'-1' is not a number of slots for a"},
           {"a:8193", "'8193' is not a number of slots for a"},
           {"a:4x", "'4x' is not a number of slots for a"},
           {"[fd00::1]:x", "'x' is not a number of slots for [fd00::1]"},
           {"n[1-3", "'n[1-3' has a [ without its ]"},
           {"n1]", "'n1]' has a ] without its ["},
           {"n[]", "'n[]' has '' where a range of numbers should be"},
           {"n[a-b]", "'n[a-b]' has 'a-b' where a range of numbers should be"},
           {"n[3-1]", "'n[3-1]' has '3-1' where a range of numbers should be"},
           {"n[1-]", "'n[1-]' has '1-' where a range of numbers should be"},
           {"n[-1]", "'n[-1]' has '-1' where a range of numbers should be"},
           {"n[1--1]", "'n[1--1]' has '1--1' where a range of numbers should be"},
           {"n[1-2-3]", "'n[1-2-3]' has '1-2-3' where a range of numbers should be"},
           {"n[1-[2]]", "has a [ without its ]"},
           {"n[1-99999999999]", "has '1-99999999999' where a range of numbers should be"},
           {"n[0-100000]", "'n[0-100000]' names too many hosts"},
           {"n[1-1000]m[1-1000]", "'n[1-1000]m[1-1000]' names too many hosts"},
       })
    EXPECT_NE(complaint(text).find(why), std::string::npos) << text << ": " << complaint(text);
}

TEST(HostList, HostsThatAreNamedSeveralTimesAreOneWithAllSlots) {
  EXPECT_EQ(merged({{"a", 2}, {"b", 0}, {"a", 0}, {"b", 0}, {"a", 3, 8}}), (Hosts{{"a", 6, 8}, {"b", 2}}));
  EXPECT_EQ(merged({}), Hosts{});
}

}  // namespace
}  // namespace antiphon::launch
