#include "store/wal_check.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <optional>
#include <set>
#include <string>

namespace repath {
namespace {

constexpr std::size_t kWalHeader = 32;
constexpr std::size_t kFrameHeader = 24;
constexpr std::uint32_t kPageLeast = 512;
constexpr std::uint32_t kPageMost = 65'536;
// One more where the checksums are over big-endian words.
constexpr std::uint32_t kWalMagic = 0x377f0682 + (std::endian::native == std::endian::big ? 1 : 0);
constexpr std::uint32_t kWalFormat = 3'007'000;

std::uint32_t big_endian(const char* at) {
  std::uint32_t v = 0;
  for (int i = 0; i < 4; ++i) v = v << 8u | static_cast<unsigned char>(at[i]);
  return v;
}

// As this machine has it: sums are over its own words.
std::uint32_t word(const char* at) {
  std::uint32_t v = 0;
  std::memcpy(&v, at, sizeof v);
  return v;
}

// The sum over a frame goes on from that of the frame before.
struct WalSum {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  bool operator==(const WalSum&) const = default;

  // REQUIRES: a multiple of eight bytes.
  void add(std::string_view bytes) {
    for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
      a += word(bytes.data() + i) + b;
      b += word(bytes.data() + i + 4) + a;
    }
  }
};

WalSum sum_at(const char* at) { return {big_endian(at), big_endian(at + 4)}; }

// The log as frames. Those of an earlier round, which SQLite has not written over yet, have other
// salts.
class WalFrames {
 public:
  // Returns nothing if the part of the header is damaged that is the same in all rounds.
  static std::optional<WalFrames> read(std::string_view header, std::string_view frames) {
    const std::uint32_t page = big_endian(header.data() + 8);
    if (big_endian(header.data()) != kWalMagic || big_endian(header.data() + 4) != kWalFormat ||
        page < kPageLeast || page > kPageMost || (page & (page - 1)) != 0)
      return std::nullopt;
    WalFrames log;
    log.first_.add(header.substr(0, 24));
    log.header_fits_ = log.first_ == sum_at(header.data() + 24);
    log.salts_ = header.substr(16, 8);
    log.size_ = kFrameHeader + page;
    log.frames_ = frames;
    return log;
  }

  bool header_fits() const { return header_fits_; }
  // Goes on with the round of frame `i`.
  void take_round_of(std::size_t i) { salts_ = frame(i).substr(8, 8); }
  std::size_t count() const { return frames_.size() / size_; }
  bool is_of_this_round(std::size_t i) const { return frame(i).substr(8, 8) == salts_; }
  bool ends_commit(std::size_t i) const { return pages_after(i) != 0; }
  // How many pages the database has after the commit that the frame ends; 0 if it ends none.
  std::uint32_t pages_after(std::size_t i) const { return big_endian(frame(i).data() + 4); }
  std::uint32_t page(std::size_t i) const { return big_endian(frame(i).data()); }
  std::string_view content(std::size_t i) const { return frame(i).substr(kFrameHeader); }
  // Whether the frame was written after the one before it, as that one is there now.
  bool follows(std::size_t i) const {
    if (!is_of_this_round(i)) return false;
    WalSum sum = i == 0 ? first_ : sum_at(frame(i - 1).data() + 16);
    sum.add(frame(i).substr(0, 8));
    sum.add(content(i));
    return sum == sum_at(frame(i).data() + 16);
  }
  // Whether the frame only fills a sector up: then it repeats the last one of its commit.
  bool repeats(std::size_t i) const {
    return frame(i).substr(0, 16) == frame(i - 1).substr(0, 16) && content(i) == content(i - 1);
  }

 private:
  std::string_view frame(std::size_t i) const { return frames_.substr(i * size_, size_); }

  std::string_view frames_;
  std::string_view salts_;
  std::size_t size_ = 0;
  WalSum first_;
  bool header_fits_ = false;
};

// Whether a frame after `bad` ends a commit that another one follows. The frame `bad` itself does
// not count: a power cut may leave it with the first bytes of an older frame.
bool has_later_commit(const WalFrames& log, std::size_t bad) {
  for (std::size_t i = bad + 1; i + 1 < log.count(); ++i)
    if (log.ends_commit(i) && log.follows(i) && log.follows(i + 1) && !log.repeats(i + 1))
      return true;
  return false;
}

// Whether the database has the newest of the frames from `begin` to `end` of each page; the last
// one ends a commit.
bool are_moved(const WalFrames& log, std::size_t begin, std::size_t end, const HasPage& has_page) {
  std::set<std::uint32_t> seen;
  const std::uint32_t pages = log.pages_after(end - 1);
  for (std::size_t i = end; i-- > begin;) {
    const std::uint32_t page = log.page(i);
    if (page == 0) return false;
    if (page <= pages && seen.insert(page).second && !has_page(page, log.content(i))) return false;
  }
  return true;
}

// Whether a log whose header does not fit can be dropped. A round begins once the database has all
// of the rounds before. So only the newest round that has a commit counts, and it is the first one
// in the file. A log without any whole commit is no answer.
bool is_moved(WalFrames log, const HasPage& has_page) {
  for (std::size_t begin = 0; begin < log.count();) {
    log.take_round_of(begin);
    std::size_t committed = log.ends_commit(begin) ? begin + 1 : begin;
    std::size_t i = begin + 1;
    for (; i < log.count() && log.follows(i); ++i)
      if (log.ends_commit(i)) committed = i + 1;
    if (i < log.count() && has_later_commit(log, i)) return false;
    if (committed > begin) return are_moved(log, begin, committed, has_page);
    while (i < log.count() && log.is_of_this_round(i)) ++i;
    begin = i;
  }
  return false;
}

}  // namespace

WalReport check_wal(std::string_view bytes, const HasPage& has_page) {
  WalReport report;
  if (bytes.size() < kWalHeader + kFrameHeader + kPageLeast) return report;
  const std::optional<WalFrames> log =
      WalFrames::read(bytes.substr(0, kWalHeader), bytes.substr(kWalHeader));
  if (!log || !log->header_fits()) {
    report.must_be_emptied = log && is_moved(*log, has_page);
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
