// The catalogue, and the agents and sessions of all worlds, as tables of the database.
//
// Belongs to the store's thread. Functions that write run in a transaction of the caller. Errors
// are remembered by the connection. Damage is returned as DATA_LOSS.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/sql.h"
#include "store/store.h"
#include "store/tally_table.h"

namespace repath {

// The store's own facts about a world.
struct WorldState {
  std::uint64_t incarnation = 0;
  std::uint64_t first = 0;  // revision of its first change ever
  std::uint64_t floor = 0;  // first revision whose record is kept
  std::uint64_t head = 0;   // a revision that the log reached; it is no shorter
};

class WorldTables {
 public:
  explicit WorldTables(Sql& sql);

  // Returns all entries, ascending by name; the damaged ones come last, with those that have a
  // state and no row here. The name of one of these is that of the index, which holds another copy.
  // If that is no name either, or that of a whole entry, it is "damaged-KEY".
  std::vector<CatalogEntry> worlds();
  bool has_name(const std::string& name);
  void add(const CatalogEntry& entry, const WorldState& state);
  // Replaces the entry of the world with this key.
  void replace(const CatalogEntry& entry);
  void put_state(WorldKey key, const WorldState& state);
  // NOT_FOUND if there is no such world. DATA_LOSS if it has a state and no row here.
  absl::StatusOr<CatalogEntry> entry(WorldKey key);
  absl::StatusOr<WorldState> state(WorldKey key);
  // Returns the floors of all worlds by key; nothing if one of them is damaged or missing.
  std::optional<std::map<std::uint64_t, std::uint64_t>> floors();
  // Returns a key above all that worlds have or had.
  std::uint64_t next_key();
  void set_next_key(std::uint64_t key);

  // Makes the index of names from the rows. Without that a row whose name is damaged cannot be
  // removed. O(all worlds).
  void index_again() { sql_.run("REINDEX worlds"); }
  // Takes a world out of the catalogue. Its rows stay until drop_rows() has dropped them all.
  void remove(WorldKey key);
  // Returns the next world behind this key that was removed and whose rows or files may still be
  // there.
  std::optional<WorldKey> removed_after(WorldKey after);
  // Deletes some rows of a removed world; returns false once there are none.
  bool drop_rows(WorldKey key, std::size_t rows_max);
  void forget_removed(WorldKey key);

  // Write or drop a row, and keep `sum` that of the rows of its table. Each looks first whether the
  // row is there, on the page that it writes then.
  void write(WorldKey key, const StoredAgent& row, RowSum* sum);
  void write(WorldKey key, const SessionRow& row, RowSum* sum);
  void drop_agent(WorldKey key, AgentId id, RowSum* sum);
  void drop_session(WorldKey key, const std::string& name, RowSum* sum);
  // Appends the agents behind row `*after`, at most `rows_max`, and moves it on. Returns in `*more`
  // whether there are more. The order is that of the table.
  absl::Status read_agents(WorldKey key, std::size_t rows_max, std::optional<std::uint64_t>* after,
                           bool* more, std::vector<StoredAgent>* out);
  absl::Status read_sessions(WorldKey key, std::vector<SessionRow>* out);
  // Returns the sums of these rows of a world.
  static RowSums sums(WorldKey key, std::span<const StoredAgent> agents,
                      std::span<const SessionRow> sessions);

 private:
  // Reads the entry in the columns of `row`; nullopt if its checksum does not fit.
  static std::optional<CatalogEntry> read_entry(const Statement& row);
  void insert(const CatalogEntry& entry);
  bool has_state(WorldKey key);
  // `whole` is sorted by name.
  void name_damaged(std::span<const CatalogEntry> whole, std::span<CatalogEntry> damaged);
  // Appends the worlds that have a state, no entry, and were not removed.
  void add_missing(std::size_t entries, std::vector<CatalogEntry>* damaged);

  Sql& sql_;
  Statement entries_, names_, by_key_, find_name_, insert_world_, delete_world_;
  Statement get_state_, put_state_, delete_state_, states_, keys_, next_key_, set_next_key_;
  Statement insert_removed_, get_removed_, delete_removed_;
  Statement find_agent_, insert_agent_, delete_agent_, agents_from_;
  Statement find_session_, insert_session_, delete_session_, sessions_;
};

}  // namespace repath
