// The WatchWorld streams of one world: each reads the log at its own speed, so that a slow reader
// costs no memory.
//
// Not thread-safe; owned by the world's strand, which the sinks are called on: a sink hands on and
// returns. Invariants: 1. a reader has at most one message on its way; 2. it gets every record from
// its start on, in order, or an end with OUT_OF_RANGE once the history that it needs next is gone.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "base/ids.h"
#include "runtime/stream_hub.h"
#include "store/world_log.h"

namespace repath {

class ChangeSink {
 public:
  virtual ~ChangeSink() = default;
  // `records` may be empty: all up to `revision` has been sent.
  virtual void on_changes(std::vector<LogRecord> records, Revision revision) = 0;
  virtual void on_end(absl::Status status) = 0;
};

// How much one message or page carries: in the log's bytes, of which none is more than eight on the
// wire (a terrain edit names its class), so that a message stays below 2 MiB unless it is one
// batch.
inline constexpr std::size_t kChangesMax = 1000;
inline constexpr std::size_t kChangesBytes = 256u << 10;

class ChangeFeed {
 public:
  // Borrows the log.
  ChangeFeed(const WorldLog& log, std::uint64_t readers_max)
      : log_(log), readers_max_(readers_max) {}

  // From `start` on; 0 means from the next record on. The sink gets something at once, if only an
  // empty message. RESOURCE_EXHAUSTED, reason WATCHES_MAX; OUT_OF_RANGE as WorldLog::read.
  absl::Status open(StreamId id, Revision start, std::shared_ptr<ChangeSink> sink);
  // The reader's message was written: the next may follow.
  void ready(StreamId id);
  void close(StreamId id) { readers_.erase(id); }
  bool has(StreamId id) const { return readers_.contains(id); }
  // Sends what the readers have not got.
  void pump();
  void end_all(const absl::Status& status);

 private:
  struct Reader {
    Revision next{};
    std::shared_ptr<ChangeSink> sink;
    bool busy = false;
  };
  // False once the reader has ended.
  bool pump(Reader& reader, bool even_empty);

  const WorldLog& log_;
  std::uint64_t readers_max_;
  std::map<StreamId, Reader> readers_;
};

}  // namespace repath
