// The commands that change a world for good, each recorded: what a command did goes to the world's
// log as one unit. Every such command of the engine passes through here, so nothing bypasses the
// log.
//
// Not thread-safe; owned by the world's strand. Borrows engine, log and codec, which must outlive
// it. Invariants:
// 1. A refused command records nothing.
// 2. commit() ends a command; what it did before belongs to one unit, in this order.
// 3. Without a codec (worlds in memory) only changes are recorded, for the readers of the history.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/engine.h"
#include "runtime/codec.h"
#include "store/world_log.h"

namespace repath {

class Recorder;

struct ApplyCommand {
  ApplyChanges changes;
  // How safe the change is when the answer comes. Empty: as safe as the world can make it.
  std::optional<Durability> durability = std::nullopt;
  std::uint64_t game_tick = 0;
  std::string batch_bytes = {};  // changes.batch as the caller's protocol writes it, for the log
};

// The row of an agent holds when it was upserted, because its position then may be newer than the
// one that was kept apart.
struct AgentRowContent {
  WallMicros at = 0;
  std::string spec;  // the agent as the caller's protocol writes it
};
std::string write_agent_row(const AgentRowContent& row);
// DATA_LOSS if the bytes are none.
absl::StatusOr<AgentRowContent> read_agent_row(const std::string& bytes);

class Journal {
 public:
  // Null: records nothing.
  explicit Journal(Engine& engine, WorldLog* log = nullptr, const WorldCodec* codec = nullptr)
      : engine_(engine), log_(log), codec_(codec) {}
  // Times that are recorded from now on are `at` or later.
  void begin_at(WallMicros at) { last_at_ = at; }
  // Returns the time of day, or the time returned before if the clock was put back since. So what
  // was recorded later has no earlier time.
  WallMicros stamp();
  // From now on also hands batches and agents to a recorder. Borrows it; null: to none.
  void set_recorder(Recorder* recorder) { recorder_ = recorder; }

  // Returns whether agents, sessions and requests are recorded too.
  bool keeps_rows() const { return codec_ != nullptr; }
  // See WorldLog::accepts. Asked before anything is changed.
  absl::Status accepts(Durability wanted) const {
    return log_ == nullptr ? absl::OkStatus() : log_->accepts(wanted);
  }

  // See Engine.
  absl::StatusOr<ChangeAnswer> apply(const ApplyCommand& command, Micros now);
  // `bytes` has each agent as the caller's protocol writes it; `session` is the owner's name.
  // REQUIRES: as many bytes as agents, if rows are kept or there is a recorder.
  absl::Status upsert(std::span<const AgentSpec> agents, std::span<const std::string> bytes,
                      OwnerId owner, const std::string& session, Micros now);
  absl::StatusOr<std::vector<AgentId>> report(std::span<const PositionReport> positions,
                                              Micros now);
  std::uint64_t remove(std::span<const AgentId> agents, EventReason reason);
  std::uint64_t remove_owner(OwnerId owner, EventReason reason);

  // Record a session as it is now, or that it ended.
  void put(SessionRow row);
  void drop_session(const std::string& name);

  // Ends a command: appends what it recorded, if anything. Returns the number of the newest unit.
  Lsn commit();
  Lsn last() const { return last_; }
  // Greatest number of a unit that is durable.
  Lsn durable() const { return log_ == nullptr ? last_ : log_->durable(); }

  struct ReportedPosition {
    MapPoint position;
    WallMicros at = 0;  // when it was reported
  };
  // The positions that clients reported last, of agents that have reported. They are not recorded
  // in the log; the world's host stores them now and then. Empty if rows are not kept.
  using Positions = absl::flat_hash_map<AgentId, ReportedPosition>;
  const Positions& positions() const { return positions_; }
  void restore_positions(Positions positions) { positions_ = std::move(positions); }
  // Returns whether a position was reported, or gone, since the last call.
  bool take_moved() { return std::exchange(moved_, false); }
  bool has_moved() const { return moved_; }

 private:
  Engine& engine_;
  WorldLog* const log_;
  const WorldCodec* const codec_;
  Recorder* recorder_ = nullptr;
  LogUnit unit_;
  Lsn last_{};
  WallMicros last_at_ = 0;
  Positions positions_;
  bool moved_ = false;
};

}  // namespace repath
