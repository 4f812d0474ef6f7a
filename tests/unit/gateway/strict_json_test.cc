#include "gateway/strict_json.h"

#include <gtest/gtest.h>

#include <string>

namespace repath {
namespace {

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

// Objects and lists in turn, so that no list is in a list.
std::string nested_members(std::size_t pairs) {
  std::string text;
  for (std::size_t i = 0; i < pairs; ++i) text += R"({"a":[)";
  for (std::size_t i = 0; i < pairs; ++i) text += "]}";
  return text;
}

TEST(StrictJson, JsonHasNoFault) {
  for (const char* const text :
       {"{}", " {\n} ", "7", R"({"a":null})", R"([{"a":[1,-2.5e3,"x",true]},{"a":{}}])",
        R"({"a":1,"a":2})", R"({"\u00e4":"\ud83d\ude00\n"})", "{\"a\":\"\xc3\xa4\"}"}) {
    const auto fault = find_json_fault(text);
    EXPECT_FALSE(fault) << text << ": " << fault->what;
  }
}

TEST(StrictJson, WhatIsNoJsonHasAFault) {
  for (const char* const text :
       {"", "{", "{} x", R"({a:"b"})", "{'a':1}", R"({"a":1,})", R"({"a":[1,]})", R"({"a":1.})",
        R"({"a":.5})", R"({"a":01})", R"({"a":NaN})", R"({"a":Infinity})", R"({"a":"\x41"})",
        "{\"a\":\"b\tc\"}", "{\"a\":\"\x01\"}", "{\"a\":\"\xff\"}", R"({"a":"\ud800"})",
        "{\"a\":1 /* why */}", R"({"a":7e400})"}) {
    const auto fault = find_json_fault(text);
    ASSERT_TRUE(fault) << text;
    EXPECT_EQ(fault->path, "") << text;
  }
}

TEST(StrictJson, AFaultOfTheTextNamesItsPlace) {
  EXPECT_EQ(find_json_fault("{\"a\":1,\n b:2}")->what, "line 2, column 2: this is no JSON");
  EXPECT_EQ(find_json_fault("x")->what, "line 1, column 1: this is no JSON");
  EXPECT_EQ(find_json_fault("[7e400]")->what.substr(0, 7), "line 1,");
}

TEST(StrictJson, ANullInAListIsNamed) {
  const auto fault = find_json_fault(R"({"a":[{"b":1},{"b":{"c":[40,40,null,50]}}]})");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->path, "a[1].b.c[2]");
  EXPECT_EQ(fault->what, "null in a list");
}

TEST(StrictJson, AListInAListIsNamed) {
  const auto fault = find_json_fault(R"({"a":[1,[2]]})");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->path, "a[1]");
}

TEST(StrictJson, NestingHasALimit) {
  EXPECT_FALSE(find_json_fault(nested_members(kMessageDepthMax / 2)));
  const auto fault = find_json_fault(nested_members(kMessageDepthMax / 2 + 1));
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->what, "nested deeper than 100");
  EXPECT_TRUE(find_json_fault(nested(100'000)));
}

}  // namespace
}  // namespace repath
