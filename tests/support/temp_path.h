// Names for files and sockets of one test. ctest runs the tests of a program side by side, each in
// a separate process, so tests would collide on a fixed name.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

namespace repath::test {

// Returns a path under the temporary directory that no other call returns, in this or another
// running process: "<name>" after the process id and a count. It creates nothing; the caller that
// makes the file removes it.
inline std::string temp_path(const std::string& name) {
  static int made = 0;
  return testing::TempDir() + "repath_" + std::to_string(::getpid()) + "_" +
         std::to_string(++made) + "_" + name;
}

}  // namespace repath::test
