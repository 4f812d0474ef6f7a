#include "access/world_pattern.h"

#include <gtest/gtest.h>

#include <random>

namespace repath {
namespace {

bool matches(const std::string& pattern, const std::string& name) {
  return WorldPatterns::parse(pattern)->match(name);
}

TEST(WorldPatterns, AStarStandsForAnyNumberOfCharacters) {
  EXPECT_TRUE(matches("arena-*", "arena-1"));
  EXPECT_TRUE(matches("arena-*", "arena-"));
  EXPECT_FALSE(matches("arena-*", "arena"));
  EXPECT_TRUE(matches("*-eu-*", "arena-eu-7"));
  EXPECT_FALSE(matches("*-eu-*", "arena-us-7"));
  EXPECT_TRUE(matches("a*b*c", "abbbc"));
  EXPECT_FALSE(matches("a*b*c", "acb"));
  EXPECT_TRUE(matches("**", ""));
}

TEST(WorldPatterns, OtherCharactersStandForThemselves) {
  EXPECT_TRUE(matches("lobby", "lobby"));
  EXPECT_FALSE(matches("lobby", "Lobby"));
  EXPECT_FALSE(matches("lobby", "lobby2"));
  EXPECT_FALSE(matches("a.b", "aXb"));
}

TEST(WorldPatterns, OneOfSeveralIsEnough) {
  EXPECT_TRUE(matches("arena-*,lobby", "lobby"));
  EXPECT_FALSE(matches("arena-*,lobby", "hall"));
}

TEST(WorldPatterns, OnlyAPatternOfStarsMatchesAll) {
  EXPECT_TRUE(WorldPatterns::parse("a,*")->match_all());
  EXPECT_TRUE(WorldPatterns::parse("**")->match_all());
  EXPECT_FALSE(WorldPatterns::parse("a*")->match_all());
}

TEST(WorldPatterns, OtherTextIsRefused) {
  for (const std::string text : {"", ",", "a,", ",a", "a b", "a?", "a/b", "\xc3\xa4"})
    EXPECT_FALSE(WorldPatterns::parse(text)) << text;
  EXPECT_TRUE(WorldPatterns::parse(std::string(64, 'a')));
  EXPECT_FALSE(WorldPatterns::parse(std::string(65, 'a')));
  std::string many = "a";
  for (std::size_t i = 1; i < WorldPatterns::kPatternsMax; ++i) many += ",a";
  EXPECT_TRUE(WorldPatterns::parse(many));
  EXPECT_FALSE(WorldPatterns::parse(many + ",a"));
}

// The definition: a star takes any number of characters.
bool plain_match(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*')
    return plain_match(pattern.substr(1), name) ||
           (!name.empty() && plain_match(pattern, name.substr(1)));
  return !name.empty() && pattern[0] == name[0] && plain_match(pattern.substr(1), name.substr(1));
}

TEST(WorldPatterns, RandomPatternsMatchAsDefined) {
  std::mt19937 random(7);
  const auto text = [&](const std::string& letters, std::size_t least) {
    std::string made;
    const std::size_t size = least + random() % 8;
    while (made.size() < size) made += letters[random() % letters.size()];
    return made;
  };
  int matched = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string pattern = text("ab*", 1);
    const std::string name = text("ab", 0);
    const bool expected = plain_match(pattern, name);
    matched += expected ? 1 : 0;
    ASSERT_EQ(matches(pattern, name), expected) << pattern << " and " << name;
  }
  EXPECT_GT(matched, 2000);
}

}  // namespace
}  // namespace repath
