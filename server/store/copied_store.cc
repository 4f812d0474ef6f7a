#include "store/copied_store.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/error.h"
#include "store/backup_manifest.h"
#include "store/schema.h"
#include "store/store_errors.h"

namespace repath {
namespace {

// Where the rows of each world end: at its newest mark, or at a record that no mark names yet.
constexpr const char* kEnds =
    "SELECT world, max(revision) FROM marks GROUP BY world UNION ALL "
    "SELECT world, max(revision) FROM log WHERE seq > "
    "(SELECT coalesce(max(value), 0) FROM meta WHERE name = 'flushed_log') GROUP BY world";

}  // namespace

absl::StatusOr<std::vector<CopiedWorld>> read_copied(const std::string& database) {
  Sql sql;
  REPATH_RETURN_IF_ERROR(sql.open_still(database));
  WorldTables tables(sql);
  std::map<std::uint64_t, std::uint64_t> ends;
  Statement rows(sql, kEnds);
  while (rows.next()) {
    std::uint64_t& end = ends[rows.number(0)];
    end = std::max(end, rows.number(1));
  }
  std::vector<CopiedWorld> worlds;
  for (CatalogEntry& entry : tables.worlds()) {
    if (entry.is_damaged) continue;
    CopiedWorld world;
    world.key = entry.key;
    world.name = std::move(entry.name);
    // A world without a state is damaged; it begins nowhere.
    const auto state = tables.state(world.key);
    world.state = state.ok() ? *state : WorldState{0, 1, UINT64_MAX, 0};
    const auto end = ends.find(value(world.key));
    world.end = std::max(end == ends.end() ? 0 : end->second, world.state.first - 1);
    worlds.push_back(std::move(world));
  }
  if (sql.failed()) return store_unavailable(database + " cannot be read: " + sql.message());
  std::ranges::sort(worlds, {}, &CopiedWorld::key);
  return worlds;
}

absl::Status check_copied(const std::string& database) {
  Sql sql;
  REPATH_RETURN_IF_ERROR(sql.open_still(database));
  std::string found;
  {
    Statement check(sql, "PRAGMA integrity_check(1)");
    if (check.next()) found = check.bytes(0);
  }
  Statement version(sql, "PRAGMA user_version");
  const std::uint64_t number = version.next() ? version.number(0) : 0;
  if (sql.failed()) return backup_damaged(database + ": " + sql.message());
  if (found != "ok") return backup_damaged(database + ": " + found);
  if (number == 0 || number > kSchemaVersion)
    return make_error(absl::StatusCode::kFailedPrecondition, "STORE_VERSION", "",
                      database + " has the version " + std::to_string(number) +
                          "; this server reads up to " + std::to_string(kSchemaVersion));
  return absl::OkStatus();
}

}  // namespace repath
