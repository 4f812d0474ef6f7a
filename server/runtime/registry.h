// The server's worlds by name: made, found, listed, deleted, drained.
//
// Thread rule: every function may be called from any thread; none waits for a world.
// Invariants: 1. a name belongs to at most one world, also while that is being made; 2. the worlds'
// memory stays within memory_total_mb as far as they are known when one is made; 3. a request_id
// belongs to one request from its beginning until ten minutes after its answer, or until the world
// that it made is deleted; 4. a check that fails while a world is made ends with that world.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/sha256.h"
#include "base/stop_token.h"
#include "base/work_meter.h"
#include "routes/graph_world.h"
#include "routes/nav_world.h"
#include "runtime/config.h"
#include "runtime/imports.h"
#include "runtime/metrics.h"
#include "runtime/threads.h"
#include "runtime/world_host.h"
#include "world/world.h"

namespace repath {

// What a world is made of; the kind is that of the variant.
using AnyWorldSpec = std::variant<WorldSpec, NavWorld::Source, GraphWorld::Source>;

struct NewWorld {
  std::string name;
  WorldSettings settings;
  // Of everything the client said of the world: asking again for the same one is no error.
  Sha256::Digest definition{};
  std::string request_id;  // empty: none
  // Reads the map; runs on a query thread, again if its caller has gone while another waits. Its
  // error is the caller's answer.
  std::function<absl::StatusOr<AnyWorldSpec>()> make_spec;
  // In the place of make_spec for a file of so many bytes: what reading it takes is metered.
  std::function<absl::StatusOr<AnyWorldSpec>(WorkMeter*)> read_spec;
  std::uint64_t file_bytes = 0;
  // Whether the caller has gone; valid until the answer is given. Null: it never goes. A world that
  // nobody waits for any more is not made, or goes again.
  std::shared_ptr<const StopToken> caller;
};

class Registry {
 public:
  // Borrows `threads`, which must outlive it.
  Registry(const Limits& limits, Threads& threads);
  // Stops and joins the threads: the worlds' frames on them count into the registry's metrics.
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  const Limits& limits() const { return limits_; }
  Threads& threads() { return threads_; }
  Metrics& metrics() { return metrics_; }
  // What the server has done and how it is, as Prometheus reads it. No world is waited for.
  std::string metrics_text() const;
  // What a world gets that asks for nothing.
  WorldSettings default_settings() const;

  // ALREADY_EXISTS, reason WORLD_EXISTS, unless the world there has the same definition: then it is
  // the answer, once it is made;
  // RESOURCE_EXHAUSTED, reason WORLDS_MAX or MEMORY_TOTAL; what making the world says. A repeated
  // request_id gets the first answer for ten minutes, if the definition is the same too, else
  // INVALID_ARGUMENT, reason REQUEST_ID_REUSED. INTERNAL, reason CHECK_FAILED, if a check fails
  // while the world is made; NOT_FOUND, reason WORLD_UNKNOWN, if it is deleted meanwhile;
  // CANCELLED, reason CANCELLED, if every caller has gone; RESOURCE_EXHAUSTED, reason
  // IMPORT_TOO_LARGE, if the file needs more work or memory than it may take.
  void create(NewWorld world, Answer<WorldInfo> answer);

  // Files of imports that have not become worlds yet.
  ImportLedger& imports() { return imports_; }

  // NOT_FOUND, reason WORLD_UNKNOWN, naming the field "world".
  absl::StatusOr<std::shared_ptr<WorldHost>> find(const std::string& name) const;
  // Ascending by name, the first `limit` after `after`.
  std::vector<std::shared_ptr<WorldHost>> list(const std::string& after, std::size_t limit) const;
  // Also of a world that is being made. Forgets the request_id that made it.
  absl::Status remove(const std::string& name);

  // Ends every stream with UNAVAILABLE, reason DRAINING, and makes no more worlds.
  void drain();

  // Tests alone plant faults by it: every engine made from now on is what `wrap` makes of it.
  // Before any world is made.
  using WrapEngine = std::function<std::unique_ptr<Engine>(std::unique_ptr<Engine>)>;
  void wrap_engines_for_test(WrapEngine wrap) { wrap_engine_ = std::move(wrap); }

 private:
  using Serial = std::uint64_t;
  struct Entry {
    Serial serial = 0;  // of its making: a name may be made, deleted and made again
    Sha256::Digest definition{};
    std::string request_id;
    std::shared_ptr<WorldHost> host;         // null while it is being made
    std::vector<Answer<WorldInfo>> waiting;  // for it, the same request again
    std::shared_ptr<MakingStop> stop;        // null once it is made
  };
  struct Request {
    Serial serial = 0;  // of the making that it asked for
    Sha256::Digest definition{};
    std::optional<WorldInfo> answer = {};  // nothing while the world is being made
  };
  struct Kept {
    std::string request_id;
    Serial serial = 0;
    Micros at = 0;
  };

  // What to do about a name that is asked for: make it, or answer.
  absl::Status reserve(const NewWorld& world);
  Entry* existing(const NewWorld& world);
  void make(const NewWorld& world, Serial serial, const Answer<WorldInfo>& answer);
  std::shared_ptr<const MakingStop> stop_of(const NewWorld& world, Serial serial) const;
  absl::StatusOr<std::shared_ptr<WorldHost>> make_guarded(const NewWorld& world,
                                                          const StopToken& stop);
  absl::StatusOr<std::shared_ptr<WorldHost>> make_host(const NewWorld& world,
                                                       const StopToken& stop);
  // Puts the world where its name was reserved, or gives the name back; `waiting` gets the others
  // who asked for it. False if it must be made once more, for a caller that came after the last one
  // went.
  bool settle(const NewWorld& world, Serial serial, const StopToken* stop,
              absl::StatusOr<std::shared_ptr<WorldHost>>* host,
              std::vector<Answer<WorldInfo>>* waiting);
  std::uint64_t memory_bytes() const;
  void keep_answer(const std::string& request_id, Serial serial, const WorldInfo& info);
  void forget_request(const std::string& request_id, Serial serial);
  void forget_old_requests();

  const Limits limits_;
  Threads& threads_;
  Metrics metrics_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> worlds_;
  std::map<std::string, Request> requests_;  // by request_id
  std::deque<Kept> requests_by_age_;         // those that have their answer
  Serial last_serial_ = 0;
  std::uint64_t deleted_unmade_ = 0;  // worlds that are still being made, though deleted
  WrapEngine wrap_engine_;
  WorldFigures departed_;  // of worlds that were deleted
  std::atomic<bool> draining_{false};
  ImportLedger imports_{limits_.import_total_mb << 20};
};

}  // namespace repath
