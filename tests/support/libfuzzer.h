// Hands a reader to libFuzzer, which looks for inputs that reach new code. Only the preset `fuzz`
// builds it. Source: LLVM's libFuzzer, through LLVMFuzzerRunDriver.
//
// libFuzzer ends the process, so one process runs one target. A failed expectation, a slow input
// and one that takes too much memory are failures: the input is kept, and its path is printed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/spoiler.h"

namespace repath::test {

struct FuzzTarget {
  std::vector<std::string> seeds;
  std::function<void(const std::string&)> read;  // expects what must hold for any input
  std::function<std::string(Random*)> make;      // may be null
  int seconds = 60;                              // how long it runs
  int input_seconds_max = 0;                     // of processor time, for one input
  int memory_mb_max = 0;
};

// Runs a target of the present test and ends the process. The inputs that reach new code are kept
// in the folder REPATH_FUZZ_CORPUS/TEST, where the next run finds them; without that variable, in a
// temporary folder.
[[noreturn]] void run_libfuzzer(FuzzTarget target);

}  // namespace repath::test
