// The WatchWorld streams of one world. Each reads the log at its own speed, so a slow reader takes
// no memory.
//
// Not thread-safe; owned by the world's strand, which calls the sinks. A sink passes the message on
// and returns. Invariant: a reader has at most one message in flight. It gets every record from its
// start on, in order; if the history drops the next record, the stream ends with OUT_OF_RANGE.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/ids.h"
#include "runtime/stream_hub.h"
#include "store/world_log.h"

namespace repath {

class ChangeSink {
 public:
  virtual ~ChangeSink() = default;
  // Sends records. `records` may be empty: then everything up to `revision` has been sent.
  virtual void on_changes(std::vector<LogRecord> records, Revision revision) = 0;
  virtual void on_end(absl::Status status) = 0;
};

// Is called before each message to a sink, so that what the sink tells of the disk is no older than
// the records that it gets.
using NoteDurable = std::function<void()>;

// Asks for the records of the stream from `start` on, which are no longer in memory. They come by
// ChangeFeed::give.
using ReadFromDisk = std::function<void(StreamId stream, Revision start)>;

// Limits of one message or page, in records and in bytes of the log. One byte of the log becomes at
// most eight on the wire (a terrain edit names its class). So a message stays below 2 MiB unless it
// is a single batch.
inline constexpr std::size_t kChangesMax = 1000;
inline constexpr std::size_t kChangesBytes = 256u << 10;

class ChangeFeed {
 public:
  // Borrows the log.
  ChangeFeed(const WorldLog& log, std::uint64_t readers_max, NoteDurable note_durable,
             ReadFromDisk read_from_disk)
      : log_(log),
        readers_max_(readers_max),
        note_durable_(std::move(note_durable)),
        read_from_disk_(std::move(read_from_disk)) {}

  bool empty() const { return readers_.empty(); }
  std::uint64_t streams() const { return readers_.size(); }

  // Opens a stream of the records from `start` on; 0 means from the next record on. The sink gets a
  // message at once, even if it is empty. Errors: RESOURCE_EXHAUSTED with reason WATCHES_MAX;
  // OUT_OF_RANGE as in WorldLog::read.
  absl::Status open(StreamId id, Revision start, std::shared_ptr<ChangeSink> sink);
  // Gives the records that were asked for by ReadFromDisk.
  void give(StreamId id, absl::StatusOr<std::vector<LogRecord>> records);
  // Reports that the reader's message was written and the next may follow.
  void ready(StreamId id);
  void close(StreamId id) { readers_.erase(id); }
  bool has(StreamId id) const { return readers_.contains(id); }
  // Sends the readers the records that they do not have yet.
  void pump();
  void end_all(const absl::Status& status);

 private:
  struct Reader {
    Revision next{};
    std::shared_ptr<ChangeSink> sink;
    bool is_sending = false;  // until ready()
    bool is_reading = false;  // from the disk, until give()
  };
  // Returns false once the reader has ended.
  bool pump(StreamId id, Reader& reader, bool even_empty);
  bool send(Reader& reader, absl::StatusOr<std::vector<LogRecord>> records);

  const WorldLog& log_;
  std::uint64_t readers_max_;
  NoteDurable note_durable_;
  ReadFromDisk read_from_disk_;
  std::map<StreamId, Reader> readers_;
};

}  // namespace repath
