// The form of a recording: what came in to one world, in order, and sums over what went out. It is
// a file of entries behind a line with the form's version; each entry has the size of its kind and
// content, then these, then a checksum over them. All numbers are unsigned and of variable length,
// but coordinates, which have eight bytes, and the checksum, which has four.
//
// Thread rule: pure functions and values.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "agents/agent.h"
#include "base/ids.h"
#include "store/checksum.h"

namespace repath {

inline constexpr std::string_view kRecordingForm = "repath recording 3\n";
inline constexpr std::string_view kRecordingEnding = ".recording";  // of a file's name

enum class RecordingEntry : std::uint8_t {
  kHeader = 1,     // first: name, epoch, facts, incarnation, agents_max, history_mb
  kWorld,          // then: a part of the world's file
  kBegin,          // then: the file is whole
  kRestore,        // agents that were there before: time, and each with owner, age, place, bytes
  kApply,          // time, bytes of a batch
  kUpsert,         // time, owner, and the bytes of each agent
  kReport,         // time, and each position with agent and version
  kRemove,         // reason, agents
  kAcknowledge,    // agent, version
  kFrame,          // a frame begins
  kPlan,           // time, work units
  kLatestVerdict,  // agent
  kCapture,        // profile, team
  kTest,           // bytes of a batch; profile, team and both places of each pair
  kEvents,         // number of events taken, sum over all events so far
  kEnd             // last: why the server ended the recording; the world went on
};

// Writes the content of an entry.
class EntryWriter {
 public:
  EntryWriter& add(std::uint64_t number);
  EntryWriter& add(double coordinate);
  EntryWriter& add(std::string_view bytes);
  EntryWriter& add(const MapPoint& point);
  template <class Id>
  requires std::is_enum_v<Id> EntryWriter& add(Id id) {
    return add(static_cast<std::uint64_t>(id));
  }
  // Returns the whole entry, with its size before it and its checksum behind it.
  std::string finish(RecordingEntry kind) const;

 private:
  std::string content_;
};

inline constexpr std::size_t kEntrySumBytes = 4;

// Returns the checksum that stands behind the kind and the content of an entry.
std::string entry_sum(std::string_view kind_and_content);

// Reads the content. After a read beyond its end, or of a number that is none, is_whole() is false
// and all that is read is 0 or empty.
class EntryReader {
 public:
  explicit EntryReader(std::string_view content) : left_(content) {}
  std::uint64_t number();
  double coordinate();
  std::string bytes();
  MapPoint point();
  template <class Id>
  Id id() {
    return static_cast<Id>(number());
  }
  // Reads a count of things that have at least a byte each.
  std::uint64_t count();
  bool is_whole() const { return !is_broken_; }
  bool is_at_end() const { return left_.empty(); }

 private:
  bool is_broken_ = false;
  std::string_view left_;
};

// Adds what a client hears of an event to a sum; the time that the agent waited is left out.
void add_event(const AgentEvent& event, Checksum* sum);

}  // namespace repath
