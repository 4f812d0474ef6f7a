// Registry's part that makes worlds of other worlds, and backups.
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/error.h"
#include "runtime/registry.h"

namespace repath {
namespace {

// Returns an error of the source's with the field that names it in a fork.
absl::Status of_source(const absl::Status& status) {
  return error_field(status) == "world" ? with_field(status, "source") : status;
}

void set_name(const std::string& name, AnyWorldSpec* spec) {
  const auto rename = [&](auto& ground) { ground.name = name; };
  const auto rename_any = [&](auto& one) {
    if constexpr (std::is_same_v<std::decay_t<decltype(one)>, FiledWorld>) {
      std::visit(rename, one.ground);
    } else {
      rename(one);
    }
  };
  std::visit(rename_any, *spec);
}

// Brings a world to the form in which it is made again.
absl::StatusOr<AnyWorldSpec> spec_of(const std::shared_ptr<const WorldContent>& content,
                                     const WorldCodec& codec, const WorldFacts& facts,
                                     WorkMeter* work) {
  std::string file;
  const std::unique_ptr<ByteSource> bytes = codec.write_world(content, facts);
  while (bytes->next(&file)) {
  }
  REPATH_ASSIGN_OR_RETURN(FiledWorld filed, codec.read_world(file, facts, work));
  return AnyWorldSpec(std::move(filed));
}

}  // namespace

void Registry::fork(NewWorld world, const std::string& source, Revision revision,
                    const WorldCodec& codec, Answer<WorldInfo> answer) {
  std::shared_ptr<WorldHost> host;
  std::shared_ptr<const Origin> origin;
  {
    std::unique_lock lock(mutex_);
    if (answer_known(world, answer, lock)) return;
    const auto at = worlds_.find(source);
    if (at != worlds_.end()) {
      host = host_of(at->second);
      origin = at->second.origin;
    }
  }
  if (host == nullptr) return answer(of_source(unknown_world(source)));
  const std::optional<Revision> base =
      origin == nullptr ? std::nullopt : std::optional(origin->revision);
  const auto take = [this, world = std::move(world), host, origin, &codec,
                     answer](absl::StatusOr<ForkPoint> point) {
    if (!point.ok()) return answer(of_source(point.status()));
    NewWorld order = world;
    complete_fork(host, origin, codec, *std::move(point), &order);
    create(std::move(order), answer);
  };
  host->fork_point(revision, base, {take, [answer] { return answer.over(); }});
}

void Registry::complete_fork(const std::shared_ptr<WorldHost>& source,
                             const std::shared_ptr<const Origin>& origin, const WorldCodec& codec,
                             ForkPoint point, NewWorld* world) {
  world->settings = source->facts().settings;
  world->is_fork = true;
  const auto named = std::make_shared<WorldFacts>(source->facts());
  named->name = world->name;
  const std::shared_ptr<const WorldFacts> facts = named;
  if (source->is_durable()) {
    const WorldKey key = source->key();
    const Revision revision = point.revision;
    world->make_spec = [this, key, facts, revision,
                        &codec](WorkMeter* work) -> absl::StatusOr<AnyWorldSpec> {
      const absl::StatusOr<StoredSnapshot> at = store_->snapshot_at(key, revision);
      if (!at.ok()) return of_source(at.status());
      REPATH_ASSIGN_OR_RETURN(FiledWorld filed, codec.read_world(at->file, *facts, work));
      return AnyWorldSpec(std::move(filed));
    };
    world->advance = [this, key, facts, revision, &codec](Engine* engine) {
      return of_source(replay_log(*store_, codec, key, *facts, revision, engine));
    };
  } else if (point.content != nullptr) {
    world->make_spec = [content = std::move(point.content), facts, &codec](WorkMeter* work) {
      return spec_of(content, codec, *facts, work);
    };
  } else {
    world->make_spec = [origin, facts](WorkMeter* work) -> absl::StatusOr<AnyWorldSpec> {
      REPATH_ASSIGN_OR_RETURN(AnyWorldSpec spec, origin->order->make_spec(work));
      set_name(facts->name, &spec);
      return spec;
    };
    const auto records = std::make_shared<const std::vector<LogRecord>>(std::move(point.records));
    world->advance = [records, facts, &codec](Engine* engine) {
      return replay_records(*records, codec, *facts, engine);
    };
  }
}

// ---- backups ----

absl::StatusOr<std::string> Registry::backup_path(const std::string& name) const {
  if (store_ == nullptr)
    return make_error(absl::StatusCode::kFailedPrecondition, "NOT_DURABLE", "",
                      "this server keeps worlds in memory alone; start it with --data");
  if (backup_folder_.empty())
    return make_error(absl::StatusCode::kFailedPrecondition, "BACKUP_DIR_MISSING", "",
                      "this server writes no backups; start it with --backup-dir");
  return backup_folder_ + "/" + name;
}

absl::StatusOr<BackupFigures> Registry::backup(const std::string& path,
                                               const std::function<absl::Status()>& over) {
  return store_->backup(path, [&] { return draining_ ? server_drains() : over(); });
}

}  // namespace repath
