// Names for files and sockets of one test. ctest runs the tests of one program side by side, each
// in a process of its own, so a fixed name would be shared by tests that know nothing of each
// other.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

namespace repath::test {

// A path under the temporary directory that no other call has, in this process or in another that
// runs: "<name>" after the process id and a count. Nothing is created; who makes the file removes
// it.
inline std::string temp_path(const std::string& name) {
  static int made = 0;
  return testing::TempDir() + "repath_" + std::to_string(::getpid()) + "_" +
         std::to_string(++made) + "_" + name;
}

}  // namespace repath::test
