// The records and the answered requests of all worlds, in two tables that only grow at their ends.
// Each row names the row before it of its world. A mark says in which row a record lies. There is
// one for every kMarkEvery records of a world, and flush() makes more. Readers walk back from the
// first mark at or above what they want. The world's tally says where its requests end, and how far
// its log must reach. log_table_upkeep.cc drops rows.
//
// Belongs to the store's thread. Functions that write run in a transaction of the caller; after a
// failed one the caller calls undo(). Errors are remembered by the connection. Damage is returned
// as DATA_LOSS. Invariants:
// 1. Sequence numbers are given once, in order.
// 2. Rows behind the last flush belong to the chains that the caller passes to flush().
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/ends_table.h"
#include "store/sql.h"
#include "store/store.h"
#include "store/tally_table.h"

namespace repath {

// Where the rows of one world end, and what its agents and sessions add up to.
struct LogChain {
  std::uint64_t seq = 0;          // of the newest record; 0: none
  std::uint64_t revision = 0;     // of the newest record; 0: none
  std::uint64_t bytes = 0;        // of all batches that were ever written
  std::uint64_t request_seq = 0;  // of the newest request; 0: none
  std::uint32_t since_mark = 0;   // number of records after the newest mark
  bool has_tally = false;         // the world has a tally that is whole, or gets one
  bool is_counted = false;        // `rows` holds, see Tally
  RowSums rows;
};

class LogTable {
 public:
  static constexpr std::uint32_t kMarkEvery = 128;
  static constexpr std::uint64_t kFlushRows = 16'384;
  static constexpr std::uint64_t kFlushBytes = 8u << 20;

  explicit LogTable(Sql& sql);

  // Reads the ends of the tables and marks what no mark names yet. Runs its own transaction.
  absl::Status open();

  void write(WorldKey key, const LogRecord& record, LogChain* chain);
  void write(WorldKey key, const RequestRow& request, LogChain* chain);
  // Writes the world's tally, in the transaction that changed its agents or sessions.
  void write_tally(WorldKey key, const LogChain& chain);
  // Returns whether so much was written that a flush is due.
  bool is_flush_due() const;
  // Marks the ends of these worlds, which are all that wrote since the last flush. Returns the
  // world at whose rows the connection failed, if it did.
  std::optional<WorldKey> flush(const std::map<WorldKey, LogChain*>& chains);
  // Makes what was written final, or forgets it.
  void keep() { kept_ = now_; }
  void undo() { now_ = kept_; }

  // Returns where the rows of a world end. If its tally is damaged, the chain is one without.
  // REQUIRES: nothing was written to it since the last flush.
  LogChain chain(WorldKey key);
  // As chain(). DATA_LOSS if the tally is damaged, or says that the log was longer.
  absl::StatusOr<LogChain> whole_chain(WorldKey key);
  // Appends the records from `start` to `last` within the bounds, see Store::read. `head` is where
  // the world's rows end.
  absl::Status read(WorldKey key, std::uint64_t start, const LogChain& head,
                    std::size_t records_max, std::size_t bytes_max, std::vector<LogRecord>* out);
  // Appends requests of a world, newest first, from the row `*seq` on: at most `rows_max`, none
  // before `oldest`. Sets `*seq` to the row to go on from; 0: there are no more.
  absl::Status read_requests(WorldKey key, WallMicros oldest, std::size_t rows_max,
                             std::uint64_t* seq, std::vector<RequestRow>* out);

  // Returns the greatest revision of a mark beyond which at least `bytes` of batches follow, plus
  // one; 0 if there is none.
  std::uint64_t floor_by_bytes(WorldKey key, const LogChain& head, std::uint64_t bytes);
  // Drops the marks of records below `floor`.
  void drop_marks(WorldKey key, std::uint64_t floor);

  // Looks at the next requests, at most `rows_max`, for the ones answered before `oldest`. Returns
  // whether there may be more to look at now. The time of a row counts only if its checksum fits
  // and it is not after `now`. Any other row goes with the next one that is too old. So a
  // calendar's clock that was ahead does not keep the rows of that time, nor those behind them.
  // Rows that were looked at are not read again until the time of one of them has come.
  bool look_for_expired(WallMicros oldest, WallMicros now, std::size_t rows_max);
  // Returns the rows of requests that were found too old, at most `rows_max`, in order.
  std::vector<std::uint64_t> expired_requests(std::size_t rows_max);
  void drop_requests(std::span<const std::uint64_t> rows);
  // Looks at the next records of a pass over the table and deletes those whose world is not in
  // `floors` or whose revision is below its floor there. `floors` has all worlds with a record up
  // to `last`, where the pass ends. Returns true until then.
  bool sweep(const std::map<std::uint64_t, std::uint64_t>& floors, std::uint64_t last,
             std::size_t rows_max);
  // The newest record that a mark of its world leads to.
  std::uint64_t flushed() const { return now_.flushed.log; }
  // Number of records in the table, and how many of them no world needs.
  std::uint64_t rows() const { return now_.rows; }
  std::uint64_t dead() const { return now_.dead; }
  void add_dead(std::uint64_t rows);

 private:
  struct Ends {
    std::uint64_t next_log = 1;
    std::uint64_t next_request = 1;
    LogEnds flushed;  // its numbers of rows are those of the last flush
    std::uint64_t bytes_since_flush = 0;
    std::uint64_t rows = 0;
    std::uint64_t dead = 0;
    std::uint64_t swept = 0;  // the pass goes on behind this row
  };
  struct Row {
    WorldKey world{};
    std::uint64_t before = 0;
    std::uint64_t checksum = 0;
    LogRecord record;
  };
  struct Answered {
    WorldKey world{};
    std::uint64_t before = 0;
    std::uint64_t checksum = 0;
    RequestRow request;
  };

  // Read what a statement stands at; the columns are those of get_record_ and get_request_.
  static Row row_at(const Statement& found);
  static Answered answered_at(const Statement& found);
  static bool is_whole(const Answered& row);
  LogChain chain_with(WorldKey key, const absl::StatusOr<Tally>& tally);
  // The first row of `requests`. Rows before it were answered too long ago, and are gone.
  std::uint64_t oldest_request();

  void mark_tail();
  void mark_records(std::map<WorldKey, LogChain>* ends);
  void mark_requests(std::map<WorldKey, LogChain>* ends);
  LogChain& end_of(WorldKey key, std::map<WorldKey, LogChain>* ends);
  void write_ends();
  // Looks for the first mark that a statement finds whose row is the record that it names. A mark
  // that is damaged is passed over, since the row of every record names the one before it.
  struct Mark {
    std::uint64_t revision = 0;
    std::uint64_t seq = 0;
    std::uint64_t bytes = 0;
  };
  std::optional<Mark> whole_mark(WorldKey key, Statement& found);
  void write_mark(WorldKey key, const LogChain& chain);
  // Reads a row and proves that it is the record of that revision.
  absl::Status read_row(WorldKey key, std::uint64_t seq, std::uint64_t revision, Row* out);

  Sql& sql_;
  Ends now_;
  Ends kept_;
  // How far the requests were looked at. After a restart all are looked at again.
  static constexpr WallMicros kNever = std::numeric_limits<WallMicros>::max();
  std::uint64_t looked_to_ = 0;       // no row up to this one keeps those behind it
  std::uint64_t expired_to_ = 0;      // rows up to this one are too old
  WallMicros passed_until_ = kNever;  // the least time of a row that was passed as in the future
  TallyTable tallies_;
  EndsTable ends_;
  Statement insert_record_, insert_request_, insert_mark_;
  Statement get_record_, get_place_, get_request_, mark_from_, newest_mark_, mark_by_bytes_;
  Statement drop_marks_, requests_behind_, expired_requests_, delete_request_;
  Statement next_records_, delete_record_;
};

}  // namespace repath
