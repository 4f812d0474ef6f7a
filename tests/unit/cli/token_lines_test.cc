#include "cli/token_lines.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "support/temp_path.h"

namespace repath::cli {
namespace {

namespace fs = std::filesystem;

TEST(TokenLines, ATokenHas256RandomBitsAndItsHash) {
  std::set<std::string> secrets;
  for (int i = 0; i < 100; ++i) {
    const NewToken made = make_token();
    EXPECT_EQ(made.secret.size(), 43u);  // 6 bits each
    EXPECT_EQ(made.secret.find_first_not_of(
                  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
              std::string::npos);
    EXPECT_EQ(made.sha256.size(), 64u);
    EXPECT_TRUE(secrets.insert(made.secret).second);
  }
}

TEST(TokenLines, OnlyLinesOfTheFileCount) {
  const TokenLine line = read_token_line("  token game-1\tread,write  arena-* 00");
  EXPECT_EQ(line.kind, "token");
  EXPECT_EQ(line.name, "game-1");
  EXPECT_EQ(line.scopes, "read,write");
  EXPECT_EQ(line.worlds, "arena-*");
  for (const char* other : {"", "# token a read * 00", "token a read", "tokens a read * 00"})
    EXPECT_EQ(read_token_line(other).kind, "") << other;
}

TEST(TokenLines, WrongOptionsAreToldWithWhatIsAllowed) {
  EXPECT_EQ(wrong_scopes("read,write,agents,admin"), "");
  for (const char* wrong : {"", "all", "read,", "read,read", "READ", "read write"})
    EXPECT_NE(wrong_scopes(wrong), "") << wrong;
  EXPECT_EQ(wrong_worlds("arena-*,lobby"), "");
  for (const char* wrong : {"", ",", "a b", "a/b", "a,"})
    EXPECT_NE(wrong_worlds(wrong), "") << wrong;
  EXPECT_EQ(wrong_token_id("game-1"), "");
  for (const char* wrong : {"", "a.b", "a b", "a\nb"})
    EXPECT_NE(wrong_token_id(wrong), "") << wrong;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

client::Result<bool> set_lines(const std::string& path, const std::vector<std::string>& lines) {
  return change_lines(path, /*may_be_missing=*/true, [&](std::vector<std::string>& now) {
    now = lines;
    return client::Result<bool>(true);
  });
}

TEST(TokenLines, AFileIsReplacedAtOnceAndKeepsItsMode) {
  const std::string path = test::temp_path("tokens");
  EXPECT_TRUE(read_lines(path, /*may_be_missing=*/true).ok());
  EXPECT_FALSE(read_lines(path, /*may_be_missing=*/false).ok());
  ASSERT_TRUE(set_lines(path, {"# one", "# two"}).ok());
  struct stat made {};
  ASSERT_EQ(stat(path.c_str(), &made), 0);
  EXPECT_EQ(made.st_mode & 07, 0u) << "others may read it";
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  ASSERT_TRUE(set_lines(path, {"# three"}).ok());
  ASSERT_EQ(stat(path.c_str(), &made), 0);
  EXPECT_EQ(made.st_mode & 0777, 0600u);
  EXPECT_EQ(*read_lines(path, false), std::vector<std::string>{"# three"});
  EXPECT_NE(access((path + ".new").c_str(), F_OK), 0);
  std::remove(path.c_str());
}

TEST(TokenLines, TheLastTokenThatIsRevokedLeavesAComment) {
  std::vector<std::string> lines{"token a read * x", "certificate dns:b read *"};
  EXPECT_EQ(remove_lines(lines, "c"), 0u);
  EXPECT_EQ(remove_lines(lines, "a"), 1u);
  EXPECT_EQ(lines, std::vector<std::string>{"certificate dns:b read *"});
  EXPECT_EQ(remove_lines(lines, "dns:b"), 1u);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].front(), '#');
}

TEST(TokenLines, AFolderIsNoTokenFileAndTheErrorSaysSo) {
  const auto lines = read_lines(testing::TempDir(), /*may_be_missing=*/true);
  ASSERT_FALSE(lines.ok());
  EXPECT_EQ(lines.error().reason, kTokenFile);
  EXPECT_EQ(lines.error().message, testing::TempDir() + ": cannot be read: Is a directory");
}

TEST(TokenLines, OneCommandAtATimeChangesAFile) {
  const std::string path = test::temp_path("tokens");
  ASSERT_TRUE(set_lines(path, {"# one"}).ok());
  const auto changed = change_lines(path, false, [&](std::vector<std::string>& lines) {
    // Another command would write the lines that it read before this change.
    EXPECT_FALSE(set_lines(path, {"# other"}).ok());
    lines.push_back("# two");
    return client::Result<bool>(true);
  });
  EXPECT_TRUE(changed.ok());
  EXPECT_EQ(*read_lines(path, false), (std::vector<std::string>{"# one", "# two"}));
  // A change that fails leaves the file, and nothing beside it.
  EXPECT_FALSE(change_lines(path, false, [](std::vector<std::string>&) {
                 return client::Result<bool>(client::Error{});
               }).ok());
  EXPECT_EQ(read_lines(path, false)->size(), 2u);
  EXPECT_TRUE(set_lines(path, {"# three"}).ok());
  EXPECT_FALSE(set_lines("/nowhere/tokens", {"# x"}).ok());
  std::remove(path.c_str());
}

TEST(TokenLines, AFileThatAServerRefusesIsNeitherReadNorChanged) {
  const std::string path = test::temp_path("tokens");
  for (const std::string text : {"# a\ntoken b read *\n", "# a\n# not en"}) {
    std::ofstream(path) << text;
    const auto lines = read_lines(path, /*may_be_missing=*/false);
    ASSERT_FALSE(lines.ok()) << text;
    EXPECT_EQ(lines.error().message.rfind(path + ":2: ", 0), 0u) << lines.error().message;
    const auto changed = set_lines(path, {"# b"});
    ASSERT_FALSE(changed.ok()) << text;
    EXPECT_EQ(changed.error().reason, kTokenFile);
    EXPECT_EQ(content_of(path), text);
  }
  std::ofstream(path) << "# a\n";
  EXPECT_FALSE(set_lines(path, {"token b read *"}).ok()) << "the new file would be wrong";
  EXPECT_EQ(content_of(path), "# a\n");
  std::remove(path.c_str());
}

TEST(TokenLines, ALinkStaysAndItsTargetIsReplaced) {
  const std::string folder = test::temp_path("links");
  fs::create_directories(folder + "/deep");
  const std::string real = folder + "/real";
  fs::create_symlink("../real", folder + "/deep/link");
  fs::create_symlink(folder + "/deep/link", folder + "/outer");
  // The first change makes the file, for create takes a path that is not there yet.
  for (const char* line : {"# one", "# two"}) {
    ASSERT_TRUE(set_lines(folder + "/outer", {line}).ok());
    EXPECT_EQ(content_of(real), std::string(line) + "\n");
    EXPECT_FALSE(fs::is_symlink(real));
    EXPECT_TRUE(fs::is_symlink(folder + "/outer"));
    EXPECT_TRUE(fs::is_symlink(folder + "/deep/link"));
  }
  // Changes by the link and by the file itself keep each other out.
  const auto changed = change_lines(folder + "/outer", false, [&](std::vector<std::string>&) {
    EXPECT_FALSE(set_lines(real, {"# other"}).ok());
    return client::Result<bool>(true);
  });
  EXPECT_TRUE(changed.ok());
  fs::create_symlink("circle", folder + "/circle");
  EXPECT_FALSE(set_lines(folder + "/circle", {"# x"}).ok());
  fs::remove_all(folder);
}

}  // namespace
}  // namespace repath::cli
