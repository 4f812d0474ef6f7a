#include "store/ends_table.h"

#include <spdlog/spdlog.h>

#include "store/checksum.h"

namespace repath {
namespace {

std::uint64_t checksum_of(const LogEnds& ends) {
  return Checksum().add(ends.log).add(ends.request).add(ends.rows).add(ends.dead).value();
}

}  // namespace

EndsTable::EndsTable(Sql& sql)
    : get_(sql, "SELECT value FROM meta WHERE name = ?"),
      set_(sql, "INSERT OR REPLACE INTO meta VALUES(?, ?)") {}

std::optional<std::uint64_t> EndsTable::number(std::string_view name) {
  get_.with(name);
  std::optional<std::uint64_t> found;
  if (get_.next()) found = get_.number(0);
  get_.reset();
  return found;
}

LogEnds EndsTable::get() {
  const LogEnds ends{number("flushed_log").value_or(0), number("flushed_request").value_or(0),
                     number("rows").value_or(0), number("dead").value_or(0)};
  // Earlier servers wrote no checksum.
  const std::optional<std::uint64_t> checksum = number("checksum");
  if (!checksum || *checksum == checksum_of(ends)) return ends;
  spdlog::error("repath.db, table meta: the checksum does not fit; all rows of the log are read");
  return {};
}

void EndsTable::put(const LogEnds& ends) {
  const auto put_one = [this](std::string_view name, std::uint64_t v) { set_.with(name, v).run(); };
  put_one("flushed_log", ends.log);
  put_one("flushed_request", ends.request);
  put_one("rows", ends.rows);
  put_one("dead", ends.dead);
  put_one("checksum", checksum_of(ends));
}

}  // namespace repath
