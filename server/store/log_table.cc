#include "store/log_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <string>

#include "base/error.h"
#include "store/checksum.h"
#include "store/store_errors.h"

namespace repath {
namespace {

std::uint64_t record_checksum(WorldKey key, const LogRecord& record, std::uint64_t before) {
  Checksum sum;
  sum.add(value(key))
      .add(value(record.revision))
      .add(before)
      .add(record.state_hash)
      .add(record.game_tick)
      .add(record.batch);
  // Records of version 1 have neither, and keep their checksum.
  if (record.applied_at != 0 || !record.request_id.empty())
    sum.add(record.applied_at).add(record.request_id);
  return sum.value();
}

using Digest = std::array<char, 32>;
Digest content_bytes(const RequestRow& request) { return std::bit_cast<Digest>(request.content); }

std::string_view view(const Digest& digest) { return {digest.data(), digest.size()}; }

std::uint64_t request_checksum(WorldKey key, const RequestRow& request, std::uint64_t before) {
  return Checksum()
      .add(value(key))
      .add(before)
      .add(request.at)
      .add(request.request_id)
      .add(view(content_bytes(request)))
      .add(request.answer)
      .value();
}

// Returns the world that a row at the end of its table belongs to. If its checksum does not fit the
// world that it names, it may fit another one. That world then meets the damaged row as its own.
template <class Fits>
WorldKey owner(Sql& sql, WorldKey named, const Fits& fits) {
  if (fits(named)) return named;
  Statement worlds(sql, "SELECT key FROM worlds");
  while (worlds.next())
    if (fits(WorldKey{worlds.number(0)})) return WorldKey{worlds.number(0)};
  return named;
}

}  // namespace

LogTable::LogTable(Sql& sql)
    : sql_(sql),
      tallies_(sql),
      ends_(sql),
      insert_record_(sql, "INSERT INTO log VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      insert_request_(sql, "INSERT INTO requests VALUES(?, ?, ?, ?, ?, ?, ?, ?)"),
      insert_mark_(sql, "INSERT OR REPLACE INTO marks VALUES(?, ?, ?, ?)"),
      get_record_(sql,
                  "SELECT world, revision, before, state_hash, game_tick, checksum, batch, "
                  "applied_at, request_id FROM log WHERE seq = ?"),
      get_place_(sql, "SELECT world, revision FROM log WHERE seq = ?"),
      get_request_(sql,
                   "SELECT world, before, at, checksum, request_id, content, answer FROM requests "
                   "WHERE seq = ?"),
      mark_from_(sql,
                 "SELECT revision, seq, bytes FROM marks WHERE world = ? AND revision >= ? "
                 "ORDER BY revision"),
      newest_mark_(sql,
                   "SELECT revision, seq, bytes FROM marks WHERE world = ? "
                   "ORDER BY revision DESC"),
      mark_by_bytes_(sql,
                     "SELECT revision FROM marks WHERE world = ? AND bytes <= ? "
                     "ORDER BY revision DESC LIMIT 1"),
      drop_marks_(sql, "DELETE FROM marks WHERE world = ? AND revision < ?"),
      requests_behind_(sql,
                       "SELECT world, before, at, checksum, request_id, content, answer, seq "
                       "FROM requests WHERE seq > ? ORDER BY seq LIMIT ?"),
      expired_requests_(sql,
                        "SELECT seq FROM requests WHERE seq > 0 AND seq <= ? ORDER BY seq LIMIT ?"),
      delete_request_(sql, "DELETE FROM requests WHERE seq = ?"),
      next_records_(sql,
                    "SELECT seq, world, revision FROM log WHERE seq > ? AND seq <= ? "
                    "ORDER BY seq LIMIT ?"),
      delete_record_(sql, "DELETE FROM log WHERE seq = ?") {}

absl::Status LogTable::open() {
  now_ = {};
  now_.flushed = ends_.get();
  now_.rows = now_.flushed.rows;
  now_.dead = now_.flushed.dead;
  const auto last = [this](const char* text) -> std::uint64_t {
    Statement found(sql_, text);
    return found.next() ? found.number(0) : 0;
  };
  now_.next_log = 1 + std::max(now_.flushed.log, last("SELECT max(seq) FROM log"));
  now_.next_request = 1 + std::max(now_.flushed.request, last("SELECT max(seq) FROM requests"));
  sql_.run("BEGIN IMMEDIATE");
  mark_tail();
  sql_.run("COMMIT");
  if (sql_.failed()) return database_unreadable(sql_.message());
  keep();
  return absl::OkStatus();
}

// Names the ends of the worlds that wrote after the last flush.
void LogTable::mark_tail() {
  std::map<WorldKey, LogChain> ends;
  mark_records(&ends);
  mark_requests(&ends);
  std::map<WorldKey, LogChain*> chains;
  for (auto& [key, end] : ends) chains.emplace(key, &end);
  if (!chains.empty()) flush(chains);
}

LogChain& LogTable::end_of(WorldKey key, std::map<WorldKey, LogChain>* ends) {
  const auto [at, is_new] = ends->try_emplace(key);
  if (is_new) at->second = chain(key);
  return at->second;
}

void LogTable::mark_records(std::map<WorldKey, LogChain>* ends) {
  Statement records(sql_,
                    "SELECT world, revision, before, state_hash, game_tick, checksum, batch, "
                    "applied_at, request_id, seq FROM log WHERE seq > ? ORDER BY seq");
  records.with(now_.flushed.log);
  while (records.next()) {
    const Row row = row_at(records);
    const std::uint64_t seq = records.number(9);
    const auto fits = [&row](WorldKey key) {
      return record_checksum(key, row.record, row.before) == row.checksum;
    };
    const WorldKey key = owner(sql_, row.world, fits);
    LogChain& end = end_of(key, ends);
    ++now_.rows;
    const bool is_whole = fits(key);
    // A whole row of an earlier revision has a damaged number, and is missed where it was.
    if (seq <= end.seq || (is_whole && value(row.record.revision) <= end.revision)) continue;
    end.seq = seq;
    // The revision of a damaged row may be the damage. The row stays the end of its world, which
    // cannot be read then.
    end.revision = is_whole ? value(row.record.revision) : end.revision + 1;
    end.bytes += row.record.batch.size();
  }
}

void LogTable::mark_requests(std::map<WorldKey, LogChain>* ends) {
  Statement requests(sql_,
                     "SELECT world, before, at, checksum, request_id, content, answer, seq "
                     "FROM requests WHERE seq > ? ORDER BY seq");
  requests.with(now_.flushed.request);
  while (requests.next()) {
    const Answered row = answered_at(requests);
    const std::uint64_t seq = requests.number(7);
    const auto fits = [&row](WorldKey key) {
      return request_checksum(key, row.request, row.before) == row.checksum;
    };
    const WorldKey key = owner(sql_, row.world, fits);
    LogChain& end = end_of(key, ends);
    // A whole row that names an earlier one than the last has a damaged number, as above.
    if (seq <= end.request_seq || (fits(key) && row.before < end.request_seq)) continue;
    end.request_seq = seq;
  }
}

void LogTable::write(WorldKey key, const LogRecord& record, LogChain* chain) {
  const std::uint64_t seq = now_.next_log++;
  insert_record_
      .with(seq, value(key), value(record.revision), chain->seq, record.state_hash,
            record.game_tick, record_checksum(key, record, chain->seq), Blob{record.batch},
            record.applied_at, std::string_view(record.request_id))
      .run();
  chain->seq = seq;
  chain->revision = value(record.revision);
  chain->bytes += record.batch.size();
  now_.bytes_since_flush += record.batch.size();
  ++now_.rows;
  if (++chain->since_mark < kMarkEvery) return;
  write_mark(key, *chain);
  chain->since_mark = 0;
}

void LogTable::write(WorldKey key, const RequestRow& request, LogChain* chain) {
  const std::uint64_t seq = now_.next_request++;
  const Digest content = content_bytes(request);
  insert_request_
      .with(seq, value(key), chain->request_seq, request.at,
            request_checksum(key, request, chain->request_seq),
            std::string_view(request.request_id), Blob{view(content)}, Blob{request.answer})
      .run();
  chain->request_seq = seq;
}

void LogTable::write_mark(WorldKey key, const LogChain& chain) {
  insert_mark_.with(value(key), chain.revision, chain.seq, chain.bytes).run();
}

bool LogTable::is_flush_due() const {
  return now_.next_log - now_.flushed.log > kFlushRows ||
         now_.next_request - now_.flushed.request > kFlushRows ||
         now_.bytes_since_flush > kFlushBytes;
}

std::optional<WorldKey> LogTable::flush(const std::map<WorldKey, LogChain*>& chains) {
  for (const auto& [key, chain] : chains) {
    if (chain->seq > now_.flushed.log) {
      write_mark(key, *chain);
      chain->since_mark = 0;
    }
    if (chain->has_tally) write_tally(key, *chain);
    if (sql_.failed()) return key;
  }
  now_.flushed.log = now_.next_log - 1;
  now_.flushed.request = now_.next_request - 1;
  now_.bytes_since_flush = 0;
  write_ends();
  return std::nullopt;
}

void LogTable::write_ends() {
  // The rows after the last flush are counted again at the next start.
  now_.flushed.rows = now_.rows - (now_.next_log - 1 - now_.flushed.log);
  now_.flushed.dead = now_.dead;
  ends_.put(now_.flushed);
}

void LogTable::add_dead(std::uint64_t rows) {
  now_.dead += rows;
  write_ends();
}

void LogTable::write_tally(WorldKey key, const LogChain& chain) {
  tallies_.put(key, {chain.revision, chain.request_seq, chain.is_counted, chain.rows});
}

LogChain LogTable::chain(WorldKey key) { return chain_with(key, tallies_.get(key)); }

absl::StatusOr<LogChain> LogTable::whole_chain(WorldKey key) {
  const absl::StatusOr<Tally> tally = tallies_.get(key);
  if (!tally.ok()) return tally.status();
  const LogChain chain = chain_with(key, tally);
  if (chain.revision < tally->revision)
    return world_damaged(key, "repath.db, table log: it ends at revision " +
                                  std::to_string(chain.revision) + " and once reached revision " +
                                  std::to_string(tally->revision));
  return chain;
}

std::optional<LogTable::Mark> LogTable::whole_mark(WorldKey key, Statement& found) {
  std::optional<Mark> whole;
  while (!whole && found.next()) {
    const Mark mark{found.number(0), found.number(1), found.number(2)};
    get_place_.with(mark.seq);
    if (get_place_.next() && get_place_.number(0) == value(key) &&
        get_place_.number(1) == mark.revision)
      whole = mark;
    get_place_.reset();
  }
  found.reset();
  return whole;
}

LogChain LogTable::chain_with(WorldKey key, const absl::StatusOr<Tally>& tally) {
  LogChain chain;
  if (const auto mark = whole_mark(key, newest_mark_.with(value(key)))) {
    chain.revision = mark->revision;
    chain.seq = mark->seq;
    chain.bytes = mark->bytes;
  }
  if (!tally.ok()) return chain;
  chain.request_seq = tally->request_seq;
  chain.has_tally = true;
  chain.is_counted = tally->is_counted;
  chain.rows = tally->rows;
  return chain;
}

LogTable::Row LogTable::row_at(const Statement& found) {
  Row row;
  row.world = WorldKey{found.number(0)};
  row.record.revision = Revision{found.number(1)};
  row.before = found.number(2);
  row.record.state_hash = found.number(3);
  row.record.game_tick = found.number(4);
  row.checksum = found.number(5);
  row.record.batch = found.bytes(6);
  row.record.applied_at = found.number(7);
  row.record.request_id = found.bytes(8);
  return row;
}

absl::Status LogTable::read_row(WorldKey key, std::uint64_t seq, std::uint64_t revision, Row* out) {
  const std::string place =
      "repath.db, table log, row " + std::to_string(seq) + ", revision " + std::to_string(revision);
  get_record_.with(seq);
  if (!get_record_.next()) {
    if (sql_.failed()) return rows_unreadable(key, place, sql_);
    return world_damaged(key, place + ": the row is missing");
  }
  *out = row_at(get_record_);
  get_record_.reset();
  if (out->world != key || value(out->record.revision) != revision)
    return world_damaged(key, place + ": another record is there");
  if (record_checksum(key, out->record, out->before) != out->checksum)
    return world_damaged(key, place + ": the checksum does not fit");
  return absl::OkStatus();
}

absl::Status LogTable::read(WorldKey key, std::uint64_t start, const LogChain& head,
                            std::size_t records_max, std::size_t bytes_max,
                            std::vector<LogRecord>* out) {
  std::size_t bytes = 0;
  const std::size_t begun = out->size();
  while (start <= head.revision && out->size() - begun < records_max) {
    std::uint64_t revision = head.revision;
    std::uint64_t seq = head.seq;
    const auto mark = whole_mark(key, mark_from_.with(value(key), start));
    if (mark && mark->revision < revision) {
      revision = mark->revision;
      seq = mark->seq;
    }
    if (sql_.failed()) return rows_unreadable(key, "repath.db, table marks", sql_);
    std::vector<LogRecord> backwards;
    for (; revision >= start; --revision) {
      Row row;
      REPATH_RETURN_IF_ERROR(read_row(key, seq, revision, &row));
      // Each row was written after the one it names.
      if (row.before >= seq)
        return world_damaged(
            key, "repath.db, table log, row " + std::to_string(seq) + ": names no earlier row");
      seq = row.before;
      backwards.push_back(std::move(row.record));
    }
    for (auto record = backwards.rbegin(); record != backwards.rend(); ++record) {
      bytes += record->batch.size();
      const std::size_t n = out->size() - begun;
      if (n == records_max || (n > 0 && bytes > bytes_max)) return absl::OkStatus();
      start = value(record->revision) + 1;
      out->push_back(std::move(*record));
    }
  }
  return absl::OkStatus();
}

bool LogTable::is_whole(const Answered& row) {
  return request_checksum(row.world, row.request, row.before) == row.checksum;
}

LogTable::Answered LogTable::answered_at(const Statement& found) {
  Answered row;
  row.world = WorldKey{found.number(0)};
  row.before = found.number(1);
  row.request.at = found.number(2);
  row.checksum = found.number(3);
  row.request.request_id = found.bytes(4);
  const std::string_view content = found.bytes(5);
  std::copy_n(content.begin(), std::min(content.size(), row.request.content.size()),
              row.request.content.begin());
  row.request.answer = found.bytes(6);
  return row;
}

absl::Status LogTable::read_requests(WorldKey key, WallMicros oldest, std::size_t rows_max,
                                     std::uint64_t* seq, std::vector<RequestRow>* out) {
  for (std::size_t n = 0; n < rows_max && *seq != 0; ++n) {
    const std::string place = "repath.db, table requests, row " + std::to_string(*seq);
    get_request_.with(*seq);
    const bool found = get_request_.next();
    Answered row;
    if (found) row = answered_at(get_request_);
    get_request_.reset();
    const bool is_gone = !found && *seq < oldest_request();
    if (sql_.failed()) return rows_unreadable(key, place, sql_);
    if (!found && !is_gone) return world_damaged(key, place + ": the row is missing");
    if (found && row.world != key) return world_damaged(key, place + ": another row is there");
    if (found && (row.before >= *seq || !is_whole(row)))
      return world_damaged(key, place + ": the checksum does not fit");
    const bool goes_on = found && row.request.at >= oldest;
    *seq = goes_on ? row.before : 0;
    if (goes_on) out->push_back(std::move(row.request));
  }
  return absl::OkStatus();
}

std::uint64_t LogTable::oldest_request() {
  requests_behind_.with(std::uint64_t{0}, std::uint64_t{1});
  const std::uint64_t seq = requests_behind_.next() ? requests_behind_.number(7) : UINT64_MAX;
  requests_behind_.reset();
  return seq;
}

std::uint64_t LogTable::floor_by_bytes(WorldKey key, const LogChain& head, std::uint64_t bytes) {
  if (head.bytes <= bytes) return 0;
  mark_by_bytes_.with(value(key), head.bytes - bytes);
  const std::uint64_t floor = mark_by_bytes_.next() ? mark_by_bytes_.number(0) + 1 : 0;
  mark_by_bytes_.reset();
  return floor;
}

}  // namespace repath
