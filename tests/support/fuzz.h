// Feeds a reader with input that is spoilt again and again. The reader must read the input or
// reject it with a reason, without a crash or a hang, and without memory for content that is not
// there.
//
// Inputs with a new kind of answer join the inputs that are spoilt further, so that the code behind
// the first checks is reached. A reader may bring a maker of hostile input beside its seeds; it
// makes every third input. REPATH_FUZZ_SECONDS sets how long each reader is fed. Without it, it
// gets a few thousand inputs, for some seconds. REPATH_TEST_SEED sets the seed.
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
#include <functional>
#include <initializer_list>
#include <iostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/error.h"
#include "base/random.h"
#include "support/seed.h"

namespace repath::test {

class Spoiler {
 public:
  // REQUIRES: at least one seed; all seeds can be read.
  Spoiler(std::vector<std::string> seeds, Random* random)
      : seeds_(seeds.size()), read_(std::move(seeds)), random_(random) {}

  std::string next() {
    std::string text = pick();
    const std::uint32_t more = random_->below(3) == 0 ? random_->below(4) : 0;
    for (std::uint32_t times = 1 + more; times > 0; --times) spoil(&text);
    return text;
  }
  // Keeps an input that was read, or rejected with a new reason. If there are too many, drops the
  // oldest one that is not a seed.
  void keep(std::string text, bool is_read) {
    if (text.size() > kBytesMax) return;
    std::vector<std::string>& kept = is_read ? read_ : refused_;
    const std::size_t first = is_read ? seeds_ : 0;
    kept.push_back(std::move(text));
    if (kept.size() > first + kKeptMax)
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(first));
  }

 private:
  static constexpr std::size_t kBytesMax = std::size_t{1} << 14;
  static constexpr std::size_t kKeptMax = 256;

  // Returns an input, mostly one that can be read, because others are rejected at their first
  // mistake.
  const std::string& pick() {
    const bool is_seed = random_->below(4) == 0;
    const bool is_refused = !refused_.empty() && random_->below(5) == 0;
    const std::vector<std::string>& from = is_refused ? refused_ : read_;
    const std::size_t size = is_seed && !is_refused ? seeds_ : from.size();
    return from[random_->below(static_cast<std::uint32_t>(size))];
  }
  std::size_t place(const std::string& text) {
    return text.empty() ? 0 : random_->below(static_cast<std::uint32_t>(text.size()));
  }
  std::size_t length(const std::string& text, std::size_t from) {
    return 1 + random_->below(
                   static_cast<std::uint32_t>(std::min<std::size_t>(text.size() - from, 64)));
  }

  void spoil(std::string* text) {
    const std::size_t at = place(*text);
    if (text->empty()) return text->append(pick()), void();
    switch (random_->below(9)) {
      case 0:
        text->resize(at);
        break;
      case 1:
        (*text)[at] = static_cast<char>((*text)[at] ^ (1 << random_->below(8)));
        break;
      case 2:
        (*text)[at] = static_cast<char>(random_->below(256));
        break;
      case 3:
        text->erase(at, length(*text, at));
        break;
      case 4:
        text->insert(place(*text), text->substr(at, length(*text, at)));
        break;
      case 5:
        splice(text, at);
        break;
      case 6:
        number_in_binary(text, at);
        break;
      default:
        number_in_text(text, at);
    }
  }
  void splice(std::string* text, std::size_t at) {
    const std::string& other = pick();
    text->replace(at, std::string::npos, other.substr(place(other)));
  }
  // Writes a number of four bytes at a multiple of four.
  void number_in_binary(std::string* text, std::size_t at) {
    static constexpr std::int32_t kNumbers[] = {
        -1,           0,           1,          2, 255, 65'535, 65'536, 1'000'000, 0x7fff'ffff,
        -0x7fff'ffff, 0x7fc0'0000, 0x7f80'0000};
    at -= at % 4;
    if (at + 4 > text->size()) return;
    const std::int32_t number = kNumbers[random_->below(std::size(kNumbers))];
    std::memcpy(text->data() + at, &number, sizeof number);
  }
  // Replaces digits, or inserts a number.
  void number_in_text(std::string* text, std::size_t at) {
    static constexpr std::string_view kNumbers[] = {
        "-1",      "0",          "1",          "2",   "3",     "255",
        "65536",   "2147483647", "4294967296", "1e9", "1e400", "-1e-5",
        "0.00001", "33554.432",  "-40000",     "nan", "inf",   "99999999999999999999"};
    std::size_t end = at;
    const auto is_digit = [&](std::size_t i) { return (*text)[i] >= '0' && (*text)[i] <= '9'; };
    while (end < text->size() && is_digit(end)) ++end;
    while (at > 0 && end > at && is_digit(at - 1)) --at;
    text->replace(at, end - at, kNumbers[random_->below(std::size(kNumbers))]);
  }

  std::size_t seeds_;
  std::vector<std::string> read_;  // begins with the seeds
  std::vector<std::string> refused_;
  Random* random_;
};

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

// `read(text)` returns an absl::Status; an error must have a reason.
template <class Read>
void feed(const std::vector<std::string>& seeds, Read read, const MakeHostile& make = nullptr) {
  const Watchdog watchdog;
  SCOPED_TRACE(seed_trace());
  const char* seconds = std::getenv("REPATH_FUZZ_SECONDS");
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
  const auto take = [&](const std::string& text) {
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
  constexpr long kKibMax = 2L << 20;
  EXPECT_LT(usage.ru_maxrss, kKibMax);
}

}  // namespace repath::test
