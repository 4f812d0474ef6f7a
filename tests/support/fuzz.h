// Feeds a reader with input that is spoilt again and again. The reader must read the input or
// reject it with a reason, without a crash or a hang, and without memory for content that is not
// there.
//
// Inputs with a new kind of answer join the inputs that are spoilt further, so that the code behind
// the first checks is reached. A reader may bring a maker of hostile input beside its seeds; it
// makes every third input. REPATH_FUZZ_SECONDS sets how long each reader is fed. Without it, it
// gets a few thousand inputs, for some seconds. REPATH_TEST_SEED sets the seed. REPATH_FUZZ_INPUT
// names a file that is fed alone.
//
// In the preset `fuzz` each test that feeds a reader is a target of libFuzzer, see libfuzzer.h.
//
// An input that takes more than kCpuSecondsMax of processor time, or that ends the process, is
// written to a file; its name and its first bytes go to standard error.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/error.h"
#include "base/random.h"
#include "support/libfuzzer.h"
#include "support/seed.h"
#include "support/spoiler.h"

namespace repath::test {

// Returns the kind of answer, which shows the checks that the input passed.
inline std::string kind_of(const absl::Status& status) {
  if (status.ok()) return "read";
  std::string kind = error_reason(status);
  for (const char c : std::string(status.message()))
    if (c < '0' || c > '9') kind += c;
  return kind;
}

constexpr int kCpuSecondsMax = 2;

// Writes the present input to a file when the process is about to end because of it.
class Watchdog {
 public:
  Watchdog() {
    std::snprintf(path_, sizeof path_, "/tmp/repath-fuzz-%d", static_cast<int>(getpid()));
    for (const int signal : {SIGPROF, SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL})
      std::signal(signal, &Watchdog::bark);
  }
  ~Watchdog() {
    for (const int signal : {SIGPROF, SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL})
      std::signal(signal, SIG_DFL);
  }
  static void begin(const std::string& input) {
    input_ = &input;
    set_timer(kCpuSecondsMax);
  }
  static void end() {
    set_timer(0);
    input_ = nullptr;
  }

 private:
  static void set_timer(int seconds) {
    itimerval timer{};
    timer.it_value.tv_sec = seconds;
    setitimer(ITIMER_PROF, &timer, nullptr);
  }
  static void print(const char* text) {
    [[maybe_unused]] const auto written = write(2, text, std::strlen(text));
  }
  static void bark(int signal) {
    std::signal(SIGABRT, SIG_DFL);
    print(signal == SIGPROF ? "\nfuzz: this input takes too long" : "\nfuzz: this input ended it");
    if (input_ != nullptr) {
      const int file = open(path_, O_CREAT | O_TRUNC | O_WRONLY, 0644);
      [[maybe_unused]] const auto written = write(file, input_->data(), input_->size());
      close(file);
      print(": ");
      print(path_);
      print("\n");
      constexpr std::size_t kShown = 256;
      for (std::size_t i = 0; i < std::min(input_->size(), kShown); ++i) {
        const auto byte = static_cast<unsigned char>((*input_)[i]);
        const char hex[] = {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15], 0};
        print(hex);
      }
    }
    print("\n");
    std::abort();
  }

  static inline char path_[64];
  static inline const std::string* input_ = nullptr;
};

// Makes hostile input from random numbers; null: only the seeds are used.
using MakeHostile = std::function<std::string(Random*)>;

constexpr int kMemoryMibMax = 2048;

// Returns a variable of the environment; null if it is not set.
inline const char* environment(const char* name) {
  return std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
}

// Reads one input from a file, to look at what was found.
template <class Read>
void replay(const char* path, Read read) {
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path << " cannot be read";
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const absl::Status status = read(text);
  EXPECT_TRUE(status.ok() || !error_reason(status).empty()) << status;
  std::cout << path << ": " << status << "\n";
}

// Feeds seeds, then spoilt and hostile inputs, for some time.
template <class Read>
void feed_spoilt(const std::vector<std::string>& seeds, Read read, const MakeHostile& make) {
  const Watchdog watchdog;
  SCOPED_TRACE(seed_trace());
  const char* seconds = environment("REPATH_FUZZ_SECONDS");
  const auto begin = std::chrono::steady_clock::now();
  const auto end = begin + std::chrono::seconds(seconds == nullptr ? 0 : std::atoi(seconds));
  constexpr std::uint64_t kInputsWithoutTime = 4000;
  constexpr std::chrono::seconds kTimeWithoutTime{10};
  Random random(seed());
  Spoiler spoiler(seeds, &random);
  std::set<std::string> kinds;
  std::uint64_t fed = 0;
  std::uint64_t good = 0;
  double slowest_s = 0;
  const auto take = [&](const std::string& text) noexcept {  // an exception ends the process
    Watchdog::begin(text);
    const std::clock_t before = std::clock();  // processor time, which excludes other programs
    const absl::Status status = read(text);
    const double took_s = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    Watchdog::end();
    slowest_s = std::max(slowest_s, took_s);
    EXPECT_TRUE(status.ok() || !error_reason(status).empty()) << status;
    ++fed;
    good += status.ok() ? 1 : 0;
    const bool is_new = kinds.insert(kind_of(status)).second;
    if (is_new || status.ok()) spoiler.keep(text, status.ok());
  };
  for (const std::string& one : seeds) take(one);
  EXPECT_EQ(good, seeds.size()) << "a seed is refused";
  const auto is_done = [&] {
    const auto now = std::chrono::steady_clock::now();
    return now >= end && (fed >= kInputsWithoutTime || now >= begin + kTimeWithoutTime);
  };
  while (!is_done()) take(make && random.below(3) == 0 ? make(&random) : spoiler.next());
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::cout << fed << " inputs, " << good << " read, " << kinds.size()
            << " kinds of answers, slowest " << slowest_s << " s, " << usage.ru_maxrss / 1024
            << " MiB at most\n";
  EXPECT_LT(usage.ru_maxrss >> 10, kMemoryMibMax);
}

#ifdef REPATH_LIBFUZZER
// Lets libFuzzer feed the reader; does not return.
template <class Read>
void feed_by_libfuzzer(const std::vector<std::string>& seeds, Read read, const MakeHostile& make) {
  constexpr int kSlower = 10;  // than without sanitizers and counters, at most about
  constexpr int kLarger = 2;
  for (const std::string& seed : seeds) {
    const absl::Status status = read(seed);
    ASSERT_TRUE(status.ok()) << "a seed is refused: " << status;
  }
  ASSERT_FALSE(testing::Test::HasFailure()) << "before the first input";
  const char* seconds = environment("REPATH_FUZZ_SECONDS");
  run_libfuzzer({.seeds = seeds,
                 .read =
                     [&](const std::string& text) {
                       const absl::Status status = read(text);
                       EXPECT_TRUE(status.ok() || !error_reason(status).empty()) << status;
                     },
                 .make = make,
                 .seconds = seconds == nullptr ? 60 : std::atoi(seconds),
                 .input_seconds_max = kCpuSecondsMax * kSlower,
                 .memory_mb_max = kMemoryMibMax * kLarger});
}
#endif

// Feeds a reader: by libFuzzer in the preset `fuzz`, else for some seconds. `read(text)` returns an
// absl::Status; an error must have a reason. A test feeds one reader, because libFuzzer takes the
// process.
template <class Read>
void feed(const std::vector<std::string>& seeds, Read read, const MakeHostile& make = nullptr) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  ASSERT_EQ(test->result()->test_property_count(), 0) << "a test feeds one reader";
  testing::Test::RecordProperty("is_fed", "yes");
  if (const char* input = environment("REPATH_FUZZ_INPUT")) return replay(input, read);
#ifdef REPATH_LIBFUZZER
  feed_by_libfuzzer(seeds, read, make);
#else
  feed_spoilt(seeds, read, make);
#endif
}

}  // namespace repath::test
