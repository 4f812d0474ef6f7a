#include "cli/token_file_check.h"

#include <gtest/gtest.h>

namespace repath::cli {
namespace {

const std::string kDigest(64, 'a');

// Expects that the file is refused with this line of it named, and without its text.
void expect_wrong(const std::string& text, const std::string& line, const std::string& why) {
  const std::string wrong = wrong_token_file(text, "tokens");
  EXPECT_EQ(wrong.rfind("tokens:" + line, 0), 0u) << wrong;
  EXPECT_NE(wrong.find(why), std::string::npos) << wrong;
  EXPECT_EQ(wrong.find("hush"), std::string::npos) << "a secret in " << wrong;
}

TEST(TokenFileCheck, FilesThatAServerTakesAreRight) {
  const std::vector<std::string> right = {
      "",
      "# hush\n \t# hush\n\n",
      "  token\ta read,write *,a-* " + kDigest + " \r\ncertificate dns:a read *\r\n",
      "token a read * " + kDigest + "\ntoken A read * " + kDigest + "\n",
      "certificate uri:spiffe://a/b#c read *\n",
      std::string(20'000, '\n')};
  for (const std::string& text : right) EXPECT_EQ(wrong_token_file(text, "tokens"), "") << text;
}

TEST(TokenFileCheck, AWrongLineIsNamedButNotQuoted) {
  const std::string good = "token a read * " + kDigest + "\n";
  expect_wrong(good + "hush.hush read *\n", "2: ", "begins with");
  expect_wrong(good + "token hush read *\n", "2: ", "expected `token ID SCOPES WORLDS SHA256`");
  expect_wrong(good + "token b read * " + kDigest + " # hush\n", "2: ", "expected `token");
  expect_wrong(good + "token b\vread * hush " + kDigest + "\n", "2: ", "ID: expected 1 to 64");
  expect_wrong(good + "token b.hush read * " + kDigest + "\n", "2: ", "ID: expected 1 to 64");
  expect_wrong(good + "token b reed * " + kDigest + "\n", "2: ", "SCOPES: ");
  expect_wrong(good + "token b read, * " + kDigest + "\n", "2: ", "SCOPES: ");
  expect_wrong(good + "token b read a/b " + kDigest + "\n", "2: ", "WORLDS: ");
  expect_wrong(good + "token b read * hush\n", "2: ", "64 digits");
  expect_wrong(good + "token b read * " + std::string(64, 'A') + "\n", "2: ", "64 digits");
  expect_wrong(good + good, "2: ", "earlier line");
  expect_wrong(good + "certificate hush read *\n", "2: ", "dns:NAME or uri:URI");
  expect_wrong(good + "certificate dns: read *\n", "2: ", "dns:NAME or uri:URI");
  expect_wrong(good + "certificate dns:b read * " + kDigest + "\n", "2: ", "expected `certificate");
}

TEST(TokenFileCheck, ALastLineWithoutAnEndIsWrong) {
  expect_wrong("token a read * " + kDigest, "1: ", "still being written");
  expect_wrong("# a\n# hush", "2: ", "still being written");
}

TEST(TokenFileCheck, AFileBeyondTheServersLimitsIsWrong) {
  expect_wrong(std::string((4u << 20) + 1, '\n'), "", "bytes");
  expect_wrong(std::string(20'001, '\n'), "20001: ", "lines");
}

}  // namespace
}  // namespace repath::cli
