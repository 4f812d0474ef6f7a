// The server's worlds by name: it makes, finds, lists, deletes and drains them.
//
// Thread rule: every function may be called from any thread; none waits for a world. Invariants:
// 1. A name belongs to at most one world, also while the world is being made.
// 2. The memory of the worlds, as far as it is known when a world is made, stays within
//    memory_total_mb.
// 3. A request_id belongs to one request until ten minutes after its answer, or until the world
//    that it made is deleted.
#pragma once

#include <algorithm>
#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/sha256.h"
#include "base/stop_token.h"
#include "base/work_meter.h"
#include "runtime/codec.h"
#include "runtime/config.h"
#include "runtime/failure.h"
#include "runtime/imports.h"
#include "runtime/metrics.h"
#include "runtime/past_worlds.h"
#include "runtime/recorder.h"
#include "runtime/threads.h"
#include "runtime/world_host.h"
#include "store/store.h"

namespace repath {

// NOT_FOUND, WORLD_UNKNOWN.
absl::Status unknown_world(const std::string& name);
// NOT_FOUND, WORLD_UNKNOWN: the answer to the callers that make it.
absl::Status deleted_while_made();
// UNAVAILABLE, DRAINING.
absl::Status server_drains();

struct NewWorld {
  std::string name;
  WorldSettings settings;
  // Digest of the client's whole description of the world. Asking again for the same world is not
  // an error.
  Sha256::Digest definition{};
  std::string request_id;  // with who asks, if the server knows callers; empty: none
  // Reads the map, with metered work. Runs on a query thread, and again if its caller has gone
  // while another waits. Its error is the caller's answer.
  std::function<absl::StatusOr<AnyWorldSpec>(WorkMeter*)> make_spec;
  std::uint64_t file_bytes = 0;  // size of the file that it reads; 0 without a file
  // Tells whether the caller has gone; valid until the answer is given. Null: the caller stays. A
  // world whose callers have all gone is not made, or is dropped again.
  std::shared_ptr<const StopToken> caller;
  // Brings the engine that make_spec made to the state wanted; null: it has it already.
  std::function<absl::Status(Engine*)> advance = {};
  // The world comes from another one: its making has no limit of work, and it cannot be made again.
  bool is_fork = false;
};

class Registry {
 public:
  // Keeps worlds in memory alone. Borrows `threads`, which must outlive it.
  Registry(const Limits& limits, Threads& threads);
  // Keeps worlds in a durable store. Borrows store and codec, which must outlive it. open() must
  // follow.
  Registry(const Limits& limits, Threads& threads, Store& store, const WorldCodec& codec);
  // Stops and joins the threads, because the worlds' frames count into the metrics.
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  // Reads the catalogue, and no world: then the server can be ready. Waits for the disk.
  absl::Status open();
  bool is_durable() const { return store_ != nullptr; }

  const Limits& limits() const { return limits_; }
  Threads& threads() { return threads_; }
  Metrics& metrics() { return metrics_; }
  // Returns the state and counters of the server for Prometheus, without waiting for a world.
  std::string metrics_text() const;
  // Returns the settings of a world that asks for none.
  WorldSettings default_settings() const;

  // Makes a world. If a world with the same name and definition exists, it is the answer, once it
  // is made. A repeated request_id with the same definition gets the first answer for ten minutes.
  // Errors, beside those of making the world:
  // - ALREADY_EXISTS, reason WORLD_EXISTS: the name belongs to a world with another definition.
  // - RESOURCE_EXHAUSTED, reason WORLDS_MAX, MEMORY_TOTAL or IMPORT_TOO_LARGE (the file needs more
  //   work or memory than it may take).
  // - INVALID_ARGUMENT, reason REQUEST_ID_REUSED: the request_id was used with another definition.
  // - INTERNAL, reason CHECK_FAILED: a check failed while the world was made.
  // - NOT_FOUND, reason WORLD_UNKNOWN: the world was deleted while it was made.
  // - CANCELLED, reason CANCELLED: every caller has gone.
  void create(NewWorld world, Answer<WorldInfo> answer);

  // Makes a world that equals the world `source` at `revision`; 0: at its revision now. Sets all of
  // `world` but its name, definition, request_id and caller. Borrows `codec`, which must outlive
  // the registry. Errors as create() and WorldHost::fork_point, and NOT_FOUND with reason
  // WORLD_UNKNOWN and the field "source".
  void fork(NewWorld world, const std::string& source, Revision revision, const WorldCodec& codec,
            Answer<WorldInfo> answer);

  // Asks a world as it was at an earlier revision.
  struct PastCall {
    std::shared_ptr<WorldHost> host;
    Revision at{};
    ClientKey client{};
    std::shared_ptr<const StopToken> caller;  // has it gone? Valid until the answer is given
    const WorldCodec& codec;                  // must outlive the registry
  };
  // Runs `job` as WorldHost::query does. With who.at_revision the snapshot is of the world as it
  // was then: the world is made again at that revision, and kept for a while for further calls.
  // Then also fails with INVALID_ARGUMENT, reason OPTIONS_CONFLICT, if who.min_revision is given;
  // RESOURCE_EXHAUSTED, reason MEMORY_TOTAL; as WorldHost::fork_point, with the field
  // "at_revision".
  void query(const std::shared_ptr<WorldHost>& host, QueryFor who,
             std::shared_ptr<const StopToken> caller, const WorldCodec& codec,
             WorldHost::QueryJob job);
  // Answers with what `read` returns for the world as it was, on a query thread. Errors as query().
  template <class Page>
  void read_past(PastCall call, std::function<absl::StatusOr<Page>(Engine&)> read,
                 Answer<Page> answer) {
    const std::string name = call.host->facts().name;
    use_past(std::move(call), [name, read = std::move(read),
                               answer = std::move(answer)](const PastWorlds::Made& past) {
      if (!past.ok()) return answer(past.status());
      answer(guard_making(name, [&] { return (*past)->use(read); }));
    });
  }

  // Sets the folder below which backups are written; empty: none are. Call it before serving.
  void set_backup_folder(std::string folder) { backup_folder_ = std::move(folder); }
  // Records every world that is made or loaded from now on. REQUIRES: Limits::records_worlds. Call
  // it before serving.
  void record_in(RecordingPlace place) { recordings_ = std::move(place); }
  // Returns the path of a backup of that name; FAILED_PRECONDITION with reason NOT_DURABLE or
  // BACKUP_DIR_MISSING.
  absl::StatusOr<std::string> backup_path(const std::string& name) const;
  // Writes a backup, see Store::backup; a drain ends it. Waits. REQUIRES: backup_path() gave the
  // path.
  absl::StatusOr<BackupFigures> backup(const std::string& path,
                                       const std::function<absl::Status()>& over);

  ImportLedger& imports() { return imports_; }

  // Returns the world, or NOT_FOUND with reason WORLD_UNKNOWN and the field "world". Does not load
  // it; its first command does. DATA_LOSS with reason WORLD_DAMAGED if its facts cannot be read.
  absl::StatusOr<std::shared_ptr<WorldHost>> find(const std::string& name);
  // Returns the first `limit` worlds after the name `after`, in ascending order of names.
  std::vector<std::shared_ptr<WorldHost>> list(const std::string& after, std::size_t limit);
  // Deletes the world, even while it is being made. Forgets the request_id that made it. Answers
  // with its last revision; 0 if the world has not been in memory. With a durable store it waits
  // for the disk, and answers once the world cannot come back. While the store is given a new
  // world, it returns at once, and the thread that makes the world answers. Errors:
  // - NOT_FOUND, reason WORLD_UNKNOWN.
  // - UNAVAILABLE, reason STORE_UNAVAILABLE: the world is as it was. A world that was being made
  //   exists if its maker gets it; otherwise it may exist after a restart.
  void remove(const std::string& name, const Answer<Revision>& answer);

  // Ends every stream with UNAVAILABLE, reason DRAINING, and makes no further worlds.
  void drain();
  // Writes a snapshot of each world in memory that has changed since its last one. Waits for at
  // most `most`; returns the names of the worlds that were not saved, with the reason.
  std::map<std::string, absl::Status> save_worlds(std::chrono::milliseconds most);

  // Gives memory back that can be spared: puts worlds of the data folder out of memory that had
  // no call for a second, and drops copies kept for queries. Returns at once.
  void shrink();

  // For tests that plant faults: replaces every world made from now on, with its agents, by the
  // result of `wrap`. Call it before any world is made.
  using WrapWorld = std::function<std::unique_ptr<EngineWorld>(std::unique_ptr<EngineWorld>)>;
  void wrap_worlds_for_test(WrapWorld wrap) { wrap_world_ = std::move(wrap); }

 private:
  using Serial = std::uint64_t;
  // Keeps the order of a world in memory alone, so that its beginning can be made again.
  // `order->caller` has gone. Counts as memory of the worlds.
  struct Origin {
    Origin(std::shared_ptr<const NewWorld> made_of, Revision begins_at, MemoryTotal& sum)
        : order(std::move(made_of)), revision(begins_at), total(sum) {
      total.bytes += order->file_bytes;
    }
    ~Origin() { total.bytes -= order->file_bytes; }
    Origin(const Origin&) = delete;
    Origin& operator=(const Origin&) = delete;

    const std::shared_ptr<const NewWorld> order;
    const Revision revision;
    MemoryTotal& total;
  };
  struct Entry {
    Serial serial = 0;  // number of its making, because a name may be made, deleted and made again
    Sha256::Digest definition{};
    std::string request_id;
    std::shared_ptr<WorldHost> host;         // null while it is being made, or before its first use
    std::vector<Answer<WorldInfo>> waiting;  // callers with the same request that wait for it
    std::shared_ptr<MakingStop> stop;        // null once it is made
    std::optional<CatalogEntry> stored;  // as the store had it at the start, until its first use
    std::shared_ptr<const Origin> origin = nullptr;
    // Set from the moment when the store is given the world until the world is made. Meanwhile only
    // the thread that makes the world removes this entry.
    bool is_storing = false;
    std::vector<Answer<Revision>> deleting = {};  // callers that delete it meanwhile
  };
  // Callers that wait for the end of a making.
  struct Callers {
    std::vector<Answer<WorldInfo>> making = {};
    std::vector<Answer<Revision>> deleting = {};
    absl::StatusOr<Revision> deleted = Revision{};  // the answer to `deleting`
  };
  struct Request {
    Serial serial = 0;  // number of the making that it asked for
    Sha256::Digest definition{};
    std::optional<WorldInfo> answer = {};  // empty while the world is being made
    // The entry of a world made before the start, which has the answer.
    std::shared_ptr<const CatalogEntry> stored = nullptr;
  };
  struct Kept {
    std::string request_id;
    Serial serial = 0;
    Micros ends_at = 0;
  };

  // Answers a request whose world or answer is there or on its way. Unlocks then, and returns true.
  bool answer_known(NewWorld& world, Answer<WorldInfo>& answer, std::unique_lock<std::mutex>& lock);
  // Reserves the name, or returns the answer to give instead.
  absl::Status reserve(const NewWorld& world);
  void make(const std::shared_ptr<const NewWorld>& order, Serial serial,
            const Answer<WorldInfo>& answer);
  std::shared_ptr<const MakingStop> stop_of(const NewWorld& world, Serial serial) const;
  // Returns what `make` returns, or INTERNAL with reason CHECK_FAILED if a check fails in it.
  template <class Make>
  static auto guard_making(const std::string& world, Make make) -> decltype(make()) {
    decltype(make()) made = absl::UnknownError("");
    const std::exception_ptr thrown = run_guarded([&] { made = make(); });
    return thrown == nullptr ? std::move(made) : making_failed(world, thrown);
  }
  static absl::Status making_failed(const std::string& world, const std::exception_ptr& thrown);
  // Makes the engine of a world, and sets the facts that depend on its content.
  absl::StatusOr<std::unique_ptr<Engine>> make_engine_of(const NewWorld& world,
                                                         const StopToken& stop, WorldFacts* facts);
  absl::StatusOr<std::shared_ptr<WorldHost>> make_host(const NewWorld& world, Serial serial,
                                                       const StopToken& stop);
  // Puts the world where its name was reserved, or frees the name. `callers` gets the other callers
  // that wait for it. Returns false if it must be made once more, for a caller that came after the
  // last one went.
  bool settle(const std::shared_ptr<const NewWorld>& order, Serial serial, const StopToken* stop,
              absl::StatusOr<std::shared_ptr<WorldHost>>* host, Callers* callers);
  // Returns RESOURCE_EXHAUSTED with reason MEMORY_TOTAL if so many more bytes exceed the limit.
  // With a store it then also puts worlds out of memory soon, and names the delay after which to
  // try again.
  absl::Status check_memory(std::uint64_t more);
  std::uint64_t first_incarnation() const { return store_ == nullptr ? 0 : 1; }
  EngineParts engine_parts() {
    return {limits_, threads_.planners(), wrap_world_, recordings_ ? &*recordings_ : nullptr};
  }

  // ---- registry_store.cc ----
  // Returns the answer that the store has of a request that was answered before the start.
  std::optional<WorldInfo> stored_answer(const CatalogEntry& stored) const;
  // Returns the world of an entry; null while it is being made. REQUIRES: the mutex is held.
  std::shared_ptr<WorldHost> host_of(Entry& entry);
  Keeping keeping_of(WorldKey key);
  // Marks the world as one that the store is given. Returns false if it was deleted before.
  bool begin_storing(const std::string& name, Serial serial);
  // Puts a new world into the store. Waits.
  absl::StatusOr<std::shared_ptr<WorldHost>> keep_new(const NewWorld& world, Serial serial,
                                                      WorldFacts facts, LoadedWorld made);
  // Removes the world from the store. Waits. OK, too, if the store does not have it.
  absl::Status remove_stored(WorldKey key);
  // Ends the storing of a world. If callers have deleted the world since the storing began, removes
  // it from the store again. That waits with the mutex unlocked, and `host` becomes NOT_FOUND with
  // reason WORLD_UNKNOWN. If the store refuses the removal, the world stays. If the store did not
  // take the world in the first place, these callers get the store's error as well. After a failure
  // of the disk such a world may be there at the next start.
  void end_storing(Entry& entry, std::unique_lock<std::mutex>& lock,
                   absl::StatusOr<std::shared_ptr<WorldHost>>* host, Callers* callers);
  void unload_idle_worlds();

  // ---- registry_fork.cc ----
  // Completes the order of a world that equals `source` at the point.
  void complete_fork(const std::shared_ptr<WorldHost>& source,
                     const std::shared_ptr<const Origin>& origin, const WorldCodec& codec,
                     ForkPoint point, NewWorld* world);

  // ---- registry_past.cc ----
  // Calls `use` on a query thread with the world as it was.
  void use_past(PastCall call, PastWorlds::Take use);
  void make_past(const PastCall& call, const PastWorlds::Key& key, const NewWorld& order,
                 const StopToken& stop);
  std::shared_ptr<const Origin> origin_of(const WorldHost& host);

  void keep_answer(const std::string& request_id, Serial serial, const WorldInfo& info);
  void forget_request(const std::string& request_id, Serial serial);
  void forget_old_requests();

  const Limits limits_;
  Threads& threads_;
  Store* const store_ = nullptr;  // null: worlds are in memory alone
  const WorldCodec* const codec_ = nullptr;
  WallMicros opened_at_ = 0;
  std::string backup_folder_;
  std::optional<RecordingPlace> recordings_;
  MemoryTotal total_;
  std::atomic<Micros> room_made_at_{0};
  boost::asio::steady_timer idle_timer_;
  Metrics metrics_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> worlds_;
  std::map<std::string, Request> requests_;  // by request_id
  std::deque<Kept> requests_by_age_;         // requests that have their answer
  Serial last_serial_ = 0;
  std::uint64_t deleted_unmade_ = 0;  // deleted worlds that are still being made
  WrapWorld wrap_world_;
  WorldFigures departed_;  // sums over deleted worlds
  std::atomic<bool> draining_{false};
  PastWorlds past_{threads_.worlds(), draining_};
  // Files on their way take at most half of what worlds may.
  ImportLedger imports_{std::min(limits_.import_total_mb << 20, limits_.memory_total_mb << 19)};
};

}  // namespace repath
