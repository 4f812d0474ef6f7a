// The reader of world files. A world is made of every file that is read.
#include "rpc/world_file.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/random.h"
#include "base/sha256.h"
#include "property/engine/command_kinds.h"
#include "support/fuzz.h"
#include "support/world_files.h"

namespace repath {
namespace {

constexpr std::size_t kEndBytes = 37;  // of the end: its size, its tags, and the digest

class WorldFileFuzz : public testing::Test {
 protected:
  // Returns the file of a small world after some changes: a grid, a mesh or a graph.
  std::string small_file(int kind) {
    Random random(77);
    std::unique_ptr<test::CommandKind> commands;
    if (kind == 0) {
      commands = std::make_unique<test::GridCommands>(&random);
    } else {
      commands = std::make_unique<test::RouteCommands>(&random, kind == 1);
    }
    const std::unique_ptr<Engine> engine = commands->make({}, executor_);
    for (int i = 0; i < 12; ++i)
      (void)engine->apply({commands->batch(&random), "", std::nullopt}, 0);
    return test::file_of(test::copy_of(*engine));
  }
  absl::Status import(const std::string& file) {
    return test::import_file(file, registry_, executor_).status();
  }
  // Imports the parts of a file, with the end that they should have.
  absl::Status import_signed(const std::string& parts) {
    v1::WorldFilePart end;
    const Sha256::Digest digest = sha256(parts);
    end.mutable_end()->set_sha256(std::string(digest.begin(), digest.end()));
    const std::string bytes = end.SerializeAsString();
    EXPECT_EQ(bytes.size() + 1, kEndBytes);
    return import(parts + static_cast<char>(bytes.size()) + bytes);
  }

  InlineExecutor executor_;
  Limits limits_;
  Threads threads_{limits_};
  Registry registry_{limits_, threads_};
};

TEST_F(WorldFileFuzz, SpoiltPartsWithTheirDigest) {
  std::vector<std::string> seeds;
  for (const int kind : {0, 1, 2}) {
    const std::string file = small_file(kind);
    seeds.push_back(file.substr(0, file.size() - kEndBytes));
  }
  test::feed(seeds, [&](const std::string& parts) { return import_signed(parts); });
}

TEST_F(WorldFileFuzz, EveryFlippedBitIsRefused) {
  for (const int kind : {0, 1, 2}) {
    std::string file = small_file(kind);
    ASSERT_TRUE(import(file).ok());
    const std::size_t step = 1 + file.size() / 1500;  // bytes; all of them in small files
    for (std::size_t at = 0; at < file.size(); at += step) {
      for (int bit = 0; bit < 8; ++bit) {
        file[at] = static_cast<char>(file[at] ^ (1 << bit));
        const absl::Status status = import(file);
        ASSERT_FALSE(status.ok()) << "byte " << at << " bit " << bit;
        ASSERT_NE(error_reason(status), "") << status;
        file[at] = static_cast<char>(file[at] ^ (1 << bit));
      }
    }
  }
}

TEST_F(WorldFileFuzz, EveryTruncatedFileIsRefused) {
  for (const int kind : {0, 1, 2}) {
    const std::string file = small_file(kind);
    const std::size_t step = 1 + file.size() / 5000;
    for (std::size_t size = 0; size < file.size(); size += step) {
      const absl::Status status = import(file.substr(0, size));
      ASSERT_EQ(error_reason(status), "WORLD_FILE_SYNTAX") << size << status;
    }
    EXPECT_EQ(error_reason(import(file + "x")), "WORLD_FILE_SYNTAX");
    EXPECT_EQ(error_reason(import(file + file.substr(8))), "WORLD_FILE_DIGEST");
  }
}

}  // namespace
}  // namespace repath
