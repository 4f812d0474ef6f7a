// Looks at SQLite's write-ahead log before SQLite does. SQLite reads it up to the first frame that
// does not fit its checksum and takes what follows for a commit that was under way. So damage in
// the middle would silently drop commits that were acknowledged, and put older pages over newer
// ones that the database has already.
//
// A commit begins only once the one before is on the disk. So if a frame does not fit and a commit
// behind it is followed by another one, the log was damaged after it was written. Damage in the
// last commit, or in the last frame of the one before, looks like a commit that was under way.
//
// A header that does not fit is that of a new round, not written to its end, or it was damaged. The
// database tells: a round begins only once it has all pages of the one before. If it has them,
// nothing is lost with the log. Else there were commits in it.
//
// A log that a machine with the other order of bytes wrote is refused as damaged.
//
// Source of the format: sqlite.org/fileformat2.html, section 4. Pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace repath {

struct WalReport {
  std::uint64_t frames = 0;  // whole ones at the log's begin, up to its last whole commit
  // What is damaged, in words that name the place; empty: nothing.
  std::string damage;
  // Frames of a commit follow that is not whole; SQLite drops them.
  bool is_torn = false;
  // The header does not fit, and the database has all that was in the log. SQLite reads no frame,
  // yet goes on with the salts that it finds, so that later frames of the round before look like
  // new ones. So the file must be emptied first.
  bool must_be_emptied = false;
};

// Whether the database has these bytes as its page of that number, from 1 on.
using HasPage = std::function<bool(std::uint32_t page, std::string_view bytes)>;

// Checks the bytes of a log; they may be empty. Asks for pages only if the header does not fit.
// Cost: linear.
WalReport check_wal(std::string_view bytes, const HasPage& has_page);

}  // namespace repath
