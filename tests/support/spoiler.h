// Spoils inputs of a reader again and again: cuts, flips, splices, and numbers at the ends of their
// ranges.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"

namespace repath::test {

class Spoiler {
 public:
  static constexpr std::size_t kBytesMax = std::size_t{1} << 14;  // of inputs that are kept

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

  // Changes a text at one place.
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

 private:
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

}  // namespace repath::test
