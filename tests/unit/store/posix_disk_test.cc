// A folder of the file system whose reading fails.
#include "store/posix_disk.h"

#include <dirent.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "support/temp_path.h"

namespace {

// So many names are read until reading fails once; below 0: never.
std::atomic<int> names_until_failure{-1};

}  // namespace

// Takes the place of the C library's function for std::filesystem, too.
extern "C" dirent* readdir(DIR* folder) {
  using Read = dirent* (*)(DIR*);
  static const Read read = reinterpret_cast<Read>(dlsym(RTLD_NEXT, "readdir"));
  if (names_until_failure >= 0 && names_until_failure-- == 0) {
    errno = EIO;
    return nullptr;
  }
  return read(folder);
}

namespace repath::test {
namespace {

TEST(PosixDisk, AListThatBreaksOffIsAnErrorAndNotAShortList) {
  const std::string folder = temp_path("list");
  const auto disk = PosixDisk::open_folder(folder);
  ASSERT_TRUE(disk.ok()) << disk.status();
  for (const char* name : {"a", "b", "c"}) std::ofstream(folder + "/" + name) << name;
  // The names are the three files, "." and "..".
  for (int names = 0; names <= 5; ++names) {
    names_until_failure = names;
    const auto list = (*disk)->list(".");
    EXPECT_EQ(list.status().code(), absl::StatusCode::kInternal) << names << " names were read";
    EXPECT_EQ(names_until_failure, -1) << "the disk has failed";
  }
  const auto list = (*disk)->list(".");
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(*list, (std::vector<std::string>{"a", "b", "c"}));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace repath::test
