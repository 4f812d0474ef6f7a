// Feeds a reader with input that was spoiled again and again: whatever it is, it must be read or
// refused with a reason, without a crash, a hang or memory for what is not there.
//
// Inputs that were answered as none was before join those that are spoiled further, so that what
// lies behind the first checks is met too. REPATH_FUZZ_SECONDS sets how long each reader is fed;
// without it a few thousand inputs are. REPATH_TEST_SEED as ever.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
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
  // REQUIRES: some seeds, which can be read.
  Spoiler(std::vector<std::string> seeds, Random* random)
      : seeds_(seeds.size()), read_(std::move(seeds)), random_(random) {}

  std::string next() {
    std::string text = pick();
    const std::uint32_t more = random_->below(3) == 0 ? random_->below(4) : 0;
    for (std::uint32_t times = 1 + more; times > 0; --times) spoil(&text);
    return text;
  }
  // `text` was read, or refused as nothing before it. Of too many the oldest goes, never a seed.
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

  // Mostly something that can be read: what is refused is refused at its first mistake.
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
  // A number of four bytes at a multiple of them.
  void number_in_binary(std::string* text, std::size_t at) {
    static constexpr std::int32_t kNumbers[] = {
        -1,           0,           1,          2, 255, 65'535, 65'536, 1'000'000, 0x7fff'ffff,
        -0x7fff'ffff, 0x7fc0'0000, 0x7f80'0000};
    at -= at % 4;
    if (at + 4 > text->size()) return;
    const std::int32_t number = kNumbers[random_->below(std::size(kNumbers))];
    std::memcpy(text->data() + at, &number, sizeof number);
  }
  // In the place of the digits that are there, or of nothing.
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
  std::vector<std::string> read_;  // the seeds first
  std::vector<std::string> refused_;
  Random* random_;
};

// How an input was answered, as far as it says which checks it came past.
inline std::string kind_of(const absl::Status& status) {
  if (status.ok()) return "read";
  std::string kind = error_reason(status);
  for (const char c : std::string(status.message()))
    if (c < '0' || c > '9') kind += c;
  return kind;
}

// read(text) returns the absl::Status it ended with; an error must have a reason.
template <class Read>
void feed(const std::vector<std::string>& seeds, Read read) {
  SCOPED_TRACE(seed_trace());
  const char* seconds = std::getenv("REPATH_FUZZ_SECONDS");
  const auto begin = std::chrono::steady_clock::now();
  const auto end = begin + std::chrono::seconds(seconds == nullptr ? 0 : std::atoi(seconds));
  constexpr std::uint64_t kInputsWithoutTime = 4000;
  Random random(seed());
  Spoiler spoiler(seeds, &random);
  std::set<std::string> kinds;
  std::uint64_t fed = 0;
  std::uint64_t good = 0;
  double slowest_s = 0;
  const auto take = [&](const std::string& text) {
    const auto before = std::chrono::steady_clock::now();
    const absl::Status status = read(text);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
    slowest_s = std::max(slowest_s, took.count());
    EXPECT_TRUE(status.ok() || !error_reason(status).empty()) << status;
    ++fed;
    good += status.ok() ? 1 : 0;
    const bool is_new = kinds.insert(kind_of(status)).second;
    if (is_new || status.ok()) spoiler.keep(text, status.ok());
  };
  for (const std::string& one : seeds) take(one);
  EXPECT_EQ(good, seeds.size()) << "a seed is refused";
  while (fed < kInputsWithoutTime || std::chrono::steady_clock::now() < end) take(spoiler.next());
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::cout << fed << " inputs, " << good << " read, " << kinds.size()
            << " kinds of answers, slowest " << slowest_s << " s, " << usage.ru_maxrss / 1024
            << " MiB at most\n";
  constexpr long kKibMax = 2L << 20;
  EXPECT_LT(usage.ru_maxrss, kKibMax);
}

}  // namespace repath::test
