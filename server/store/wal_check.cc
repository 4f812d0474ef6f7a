#include "store/wal_check.h"

#include <cstddef>
#include <optional>
#include <string>

namespace repath {
namespace {

constexpr std::size_t kWalHeader = 32;
constexpr std::size_t kFrameHeader = 24;
constexpr std::uint32_t kPageLeast = 512;
constexpr std::uint32_t kPageMost = 65'536;
constexpr std::uint32_t kWalMagic = 0x377f0682;  // or one more: checksums of big-endian words
constexpr std::uint32_t kWalFormat = 3'007'000;
constexpr std::size_t kRound = 12;  // offset of the number that grows by one with each round

std::uint32_t big_endian(const char* at) {
  std::uint32_t v = 0;
  for (int i = 0; i < 4; ++i) v = v << 8u | static_cast<unsigned char>(at[i]);
  return v;
}

std::uint32_t little_endian(const char* at) {
  std::uint32_t v = 0;
  for (int i = 4; i-- > 0;) v = v << 8u | static_cast<unsigned char>(at[i]);
  return v;
}

// The sum over a frame goes on from that of the frame before.
struct WalSum {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  bool operator==(const WalSum&) const = default;

  // REQUIRES: a multiple of eight bytes.
  void add(std::string_view bytes, bool is_big) {
    for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
      const char* at = bytes.data() + i;
      a += (is_big ? big_endian(at) : little_endian(at)) + b;
      b += (is_big ? big_endian(at + 4) : little_endian(at + 4)) + a;
    }
  }
};

WalSum sum_at(const char* at) { return {big_endian(at), big_endian(at + 4)}; }

// The log as frames. Those of an earlier round, which SQLite has not written over yet, have other
// salts.
class WalFrames {
 public:
  // Returns nothing if the header is damaged.
  static std::optional<WalFrames> read(std::string_view header, std::string_view frames) {
    WalFrames log;
    log.is_big_ = (big_endian(header.data()) & 1u) != 0;
    WalSum sum;
    sum.add(header.substr(0, 24), log.is_big_);
    if (!has_known_form(header) || sum != sum_at(header.data() + 24)) return std::nullopt;
    log.first_ = sum;
    log.salts_ = header.substr(16, 8);
    log.size_ = kFrameHeader + big_endian(header.data() + 8);
    log.frames_ = frames;
    return log;
  }
  // Whether the part of the header is right that is the same in all rounds.
  static bool has_known_form(std::string_view header) {
    const std::uint32_t page = big_endian(header.data() + 8);
    return (big_endian(header.data()) & ~1u) == kWalMagic &&
           big_endian(header.data() + 4) == kWalFormat && page >= kPageLeast && page <= kPageMost &&
           (page & (page - 1)) == 0;
  }

  std::size_t count() const { return frames_.size() / size_; }
  bool is_of_this_round(std::size_t i) const { return frame(i).substr(8, 8) == salts_; }
  bool ends_commit(std::size_t i) const { return big_endian(frame(i).data() + 4) != 0; }
  // Whether the frame was written after the one before it, as that one is there now.
  bool follows(std::size_t i) const {
    if (!is_of_this_round(i)) return false;
    WalSum sum = i == 0 ? first_ : sum_at(frame(i - 1).data() + 16);
    sum.add(frame(i).substr(0, 8), is_big_);
    sum.add(frame(i).substr(kFrameHeader), is_big_);
    return sum == sum_at(frame(i).data() + 16);
  }
  // Whether the frame only fills a sector up: then it repeats the last one of its commit.
  bool repeats(std::size_t i) const {
    return frame(i).substr(0, 16) == frame(i - 1).substr(0, 16) &&
           frame(i).substr(kFrameHeader) == frame(i - 1).substr(kFrameHeader);
  }

 private:
  std::string_view frame(std::size_t i) const { return frames_.substr(i * size_, size_); }

  std::string_view frames_;
  std::string salts_;
  std::size_t size_ = 0;
  WalSum first_;
  bool is_big_ = false;
};

// Whether a frame after `bad` ends a commit that another one follows. The frame `bad` itself does
// not count: a power cut may leave it with the first bytes of an older frame.
bool has_later_commit(const WalFrames& log, std::size_t bad) {
  for (std::size_t i = bad + 1; i + 1 < log.count(); ++i)
    if (log.ends_commit(i) && log.follows(i) && log.follows(i + 1) && !log.repeats(i + 1))
      return true;
  return false;
}

// Whether the header was damaged after frames had followed it: then one of its bytes is wrong, and
// the first frame fits once that is right. Otherwise it is that of a new round and was not written
// to its end; the frames are those of the round before, and the database has their pages.
//
// Both look alike if that byte is in the number of the round: a new header may have been written up
// to there. It is taken for one if its number is the next, or 0, with which a process begins that
// found no commit in the log.
bool is_damaged_header(std::string_view header, std::string_view frames) {
  if (!WalFrames::has_known_form(header)) return true;
  std::string mended(header);
  for (std::size_t i = 0; i < mended.size(); ++i) {
    for (int byte = 0; byte < 256; ++byte) {
      mended[i] = static_cast<char>(byte);
      const std::optional<WalFrames> log = WalFrames::read(mended, frames);
      if (!log || log->count() == 0 || !log->follows(0)) continue;
      const auto round = big_endian(header.data() + kRound);
      const auto last_round = big_endian(mended.data() + kRound);
      return round == last_round || (round != 0 && round != last_round + 1);
    }
    mended[i] = header[i];
  }
  return false;
}

}  // namespace

WalReport check_wal(std::string_view bytes) {
  WalReport report;
  if (bytes.size() < kWalHeader + kFrameHeader + kPageLeast) return report;
  const std::string_view header = bytes.substr(0, kWalHeader);
  const std::string_view frames = bytes.substr(kWalHeader);
  const std::optional<WalFrames> log = WalFrames::read(header, frames);
  if (!log) {
    report.must_be_emptied = !is_damaged_header(header, frames);
    if (!report.must_be_emptied) report.damage = "its header does not fit its checksum";
    return report;
  }
  std::size_t bad = 0;
  for (; bad < log->count() && log->follows(bad); ++bad)
    if (log->ends_commit(bad)) report.frames = bad + 1;
  report.is_torn = report.frames < log->count() && log->is_of_this_round(report.frames);
  if (bad < log->count() && has_later_commit(*log, bad))
    report.damage = "frame " + std::to_string(bad + 1) + " of " + std::to_string(log->count()) +
                    " does not fit its checksum, and later commits follow it";
  return report;
}

}  // namespace repath
