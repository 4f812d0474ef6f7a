// Looks at SQLite's write-ahead log before SQLite does. SQLite reads it up to the first frame that
// does not fit its checksum and takes what follows for a commit that was under way. So damage in
// the middle would silently drop commits that were acknowledged, and put older pages over newer
// ones that the database has already.
//
// A commit begins only once the one before is on the disk. So if a frame does not fit and a commit
// behind it is followed by another one, the log was damaged after it was written. Damage in the
// last commit, or in the last frame of the one before, looks like a commit that was under way.
//
// Source of the format: sqlite.org/fileformat2.html, section 4. Pure function.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace repath {

struct WalReport {
  std::uint64_t frames = 0;  // whole ones at the log's begin, up to its last whole commit
  // What is damaged, in words that name the place; empty: nothing.
  std::string damage;
  // Frames of a commit follow that is not whole; SQLite drops them.
  bool is_torn = false;
  // The header of a new round was not written to its end. SQLite reads no frame, yet goes on with
  // the salts that it finds, so that later frames of the round before look like new ones. The file
  // must be emptied first; the database has all that was in it.
  bool must_be_emptied = false;
};

// Checks the bytes of a log; they may be empty. Cost: linear.
WalReport check_wal(std::string_view bytes);

}  // namespace repath
