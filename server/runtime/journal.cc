#include "runtime/journal.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/error.h"
#include "runtime/recorder.h"
#include "runtime/threads.h"

namespace repath {
namespace {

constexpr std::size_t kTimeBytes = 8;

}  // namespace

std::string write_agent_row(const AgentRowContent& row) {
  std::string bytes;
  bytes.reserve(kTimeBytes + row.spec.size());
  for (std::size_t i = 0; i < kTimeBytes; ++i)
    bytes.push_back(static_cast<char>((row.at >> (8 * i)) & 0xff));
  return bytes += row.spec;
}

absl::StatusOr<AgentRowContent> read_agent_row(const std::string& bytes) {
  if (bytes.size() < kTimeBytes)
    return make_error(absl::StatusCode::kDataLoss, "WORLD_DAMAGED", "", "an agent is cut off");
  AgentRowContent row;
  for (std::size_t i = 0; i < kTimeBytes; ++i)
    row.at |= WallMicros{static_cast<unsigned char>(bytes[i])} << (8 * i);
  row.spec = bytes.substr(kTimeBytes);
  return row;
}

WallMicros Journal::stamp() {
  last_at_ = std::max<WallMicros>(last_at_, wall_now_us());
  return last_at_;
}

absl::StatusOr<ChangeAnswer> Journal::apply(const ApplyCommand& command, Micros now) {
  absl::StatusOr<ChangeAnswer> answer = engine_.apply(command.changes, now);
  if (!answer.ok() || answer->repeated_request) return answer;
  if (recorder_ != nullptr) recorder_->on_apply(command.batch_bytes, now);
  unit_.change = LogRecord{answer->revision,    answer->state_hash, command.game_tick,
                           command.batch_bytes, wall_now_us(),      command.changes.request_id};
  if (keeps_rows() && !command.changes.request_id.empty())
    unit_.request = RequestRow{command.changes.request_id, command.changes.content, wall_now_us(),
                               codec_->write_answer(*answer)};
  return answer;
}

absl::Status Journal::upsert(std::span<const AgentSpec> agents, std::span<const std::string> bytes,
                             OwnerId owner, const std::string& session, Micros now) {
  if (recorder_ != nullptr) recorder_->on_upsert(bytes, owner, now);
  REPATH_RETURN_IF_ERROR(engine_.upsert_agents(agents, owner, now));
  if (!keeps_rows()) return absl::OkStatus();
  REPATH_CHECK(bytes.size() == agents.size());
  const WallMicros at = stamp();
  for (std::size_t i = 0; i < agents.size(); ++i) {
    unit_.agents.push_back({agents[i].id, session, write_agent_row({at, bytes[i]})});
    // Only newer positions are kept apart.
    if (positions_.erase(agents[i].id) > 0) moved_ = true;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<AgentId>> Journal::report(std::span<const PositionReport> positions,
                                                     Micros now) {
  auto unknown = engine_.report_positions(positions, now);
  if (!unknown.ok() || !keeps_rows()) return unknown;
  const WallMicros at = stamp();
  for (const PositionReport& position : positions)
    positions_.insert_or_assign(position.id, ReportedPosition{position.position, at});
  for (const AgentId id : *unknown) positions_.erase(id);
  moved_ = true;
  return unknown;
}

std::uint64_t Journal::remove(std::span<const AgentId> agents, EventReason reason) {
  if (keeps_rows()) {
    for (const AgentId id : agents) {
      if (!engine_.owner_of(id)) continue;
      unit_.removed_agents.push_back(id);
      positions_.erase(id);
    }
  }
  return engine_.remove_agents(agents, reason);
}

std::uint64_t Journal::remove_owner(OwnerId owner, EventReason reason) {
  return remove(engine_.agent_ids(owner), reason);
}

void Journal::put(SessionRow row) {
  if (!keeps_rows()) return;
  const auto same = std::ranges::find(unit_.sessions, row.name, &SessionRow::name);
  if (same == unit_.sessions.end()) {
    unit_.sessions.push_back(std::move(row));
  } else {
    *same = std::move(row);
  }
}

void Journal::drop_session(const std::string& name) {
  if (keeps_rows()) unit_.removed_sessions.push_back(name);
}

Lsn Journal::commit() {
  if (log_ == nullptr || unit_.empty()) return last_;
  last_ = log_->append(std::exchange(unit_, {}));
  return last_;
}

}  // namespace repath
