#include "engine/engine.h"

#include <set>
#include <string>
#include <string_view>

#include "base/error.h"
#include "engine/query_views.h"
#include "engine/validate.h"

namespace repath {
namespace {

constexpr std::size_t kRequestIdLengthMax = 128;

// The rules for agents that existed before. Where a world has no cells, places that were near
// ground once may be far from it now.
class RulesOfRestoring final : public AgentRules {
 public:
  explicit RulesOfRestoring(const AgentRules& world) : world_(world) {}
  const std::vector<Profile>& profiles() const override { return world_.profiles(); }
  WorldKind kind() const override { return world_.kind(); }
  absl::Status check_on_map(MapPoint point, const std::string& field) const override {
    return has_cells() ? world_.check_on_map(point, field) : absl::OkStatus();
  }

 private:
  const AgentRules& world_;
};

absl::Status cannot_restore(const std::string& what, const absl::Status& why) {
  constexpr std::string_view kList = "agents[0].";
  std::string field = error_field(why);
  if (field.starts_with(kList)) field.erase(0, kList.size());
  return make_error(absl::StatusCode::kDataLoss, "WORLD_DAMAGED", "",
                    what + " cannot be restored: " + field + (field.empty() ? "" : " ") +
                        std::string(why.message()));
}

}  // namespace

absl::Status Engine::check_expected(const std::optional<Revision>& expected) const {
  if (!expected || *expected == revision()) return absl::OkStatus();
  const std::string at = std::to_string(value(revision()));
  return with_fact(make_error(absl::StatusCode::kAborted, "REVISION_MISMATCH", "expected_revision",
                              "the world is at revision " + at),
                   "revision", at);
}

absl::StatusOr<std::optional<ChangeAnswer>> Engine::find_answer(const ApplyChanges& command,
                                                                Micros now) {
  if (command.request_id.size() > kRequestIdLengthMax)
    return invalid_field("OUT_OF_RANGE", "request_id", "must have at most 128 bytes");
  if (command.request_id.empty()) return std::nullopt;
  const auto first = answers_.find(command.request_id, command.content, now);
  if (!first.ok()) return first.status();
  if (*first == nullptr) return std::nullopt;
  ChangeAnswer answer = **first;
  answer.repeated_request = true;
  return answer;
}

absl::StatusOr<ChangeAnswer> Engine::apply(const ApplyChanges& command, Micros now) {
  const auto first = find_answer(command, now);
  if (!first.ok()) return first.status();
  if (*first) return **first;
  REPATH_RETURN_IF_ERROR(check_expected(command.expected_revision));
  absl::StatusOr<ChangeAnswer> answer = world_->apply(command.batch, now);
  if (lacks_room(answer.status()) && world_->give_up_query_views())
    answer = world_->apply(command.batch, now);
  if (!answer.ok()) return with_field_prefix(answer.status(), "batch.");
  answer->waiting_agents = agents_.waiting().size();
  if (!command.request_id.empty()) answers_.keep(command.request_id, command.content, *answer, now);
  return answer;
}

absl::StatusOr<TestAnswer> Engine::test(const TestChanges& command, const StopToken* stop) {
  REPATH_RETURN_IF_ERROR(check_expected(command.expected_revision));
  for (std::size_t i = 0; i < command.pairs.size(); ++i) {
    const TestChanges::Pair& pair = command.pairs[i];
    for (const auto& [point, field] : {std::pair(pair.from, ".from"), std::pair(pair.to, ".to")})
      REPATH_RETURN_IF_ERROR(check_point(point, *world_, item("pairs", i) + field));
  }
  if (tap_ != nullptr) tap_->on_test(command);
  absl::StatusOr<TestAnswer> answer = world_->test(command, stop);
  if (lacks_room(answer.status()) && world_->give_up_query_views())
    answer = world_->test(command, stop);
  if (answer.ok()) answer->revision = revision();
  return answer;
}

absl::Status Engine::upsert_agents(std::span<const AgentSpec> agents, OwnerId owner, Micros now) {
  REPATH_RETURN_IF_ERROR(check_agents(agents, *world_));
  std::uint64_t added = 0;
  for (const AgentSpec& agent : agents) added += agents_.owner_of(agent.id) ? 0 : 1;
  if (agents_.size() + added > agents_max_)
    return make_error(absl::StatusCode::kResourceExhausted, "AGENTS_TOO_MANY", "agents",
                      "this world takes at most " + std::to_string(agents_max_) + " agents");
  absl::Status status = agents_.upsert(agents, owner, now);
  if (lacks_room(status) && world_->give_up_query_views())
    status = agents_.upsert(agents, owner, now);
  return status;
}

absl::Status Engine::restore_agents(std::span<const RestoredAgent> agents, Micros now) {
  std::set<AgentId> ids;
  for (const auto& [spec, owner, position_age_us] : agents) {
    absl::Status status = check_agents(std::span(&spec, 1), RulesOfRestoring(*world_));
    if (status.ok() && (!ids.insert(spec.id).second || agents_.owner_of(spec.id)))
      status = invalid_field("DUPLICATE_ID", "agents[0].id", "is there already");
    if (!status.ok()) return cannot_restore("agent " + std::to_string(value(spec.id)), status);
  }
  return agents_.restore(agents, now);
}

absl::Status Engine::restore_answers(std::span<const GivenAnswer> answers, Micros now) {
  std::set<std::string_view> ids;
  for (const GivenAnswer& kept : answers) {
    absl::StatusOr<const ChangeAnswer*> known = answers_.find(kept.request_id, kept.content, now);
    if (!ids.insert(kept.request_id).second || !known.ok() || *known != nullptr) {
      return cannot_restore("the answer to request '" + kept.request_id + "'",
                            invalid_field("DUPLICATE_ID", "", "is there already"));
    }
  }
  for (const GivenAnswer& kept : answers)
    answers_.keep(kept.request_id, kept.content, kept.answer, now, kept.age_us);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<AgentId>> Engine::report_positions(
    std::span<const PositionReport> positions, Micros now) {
  REPATH_RETURN_IF_ERROR(check_positions(positions, *world_));
  if (tap_ != nullptr) tap_->on_report(positions, now);
  std::vector<AgentId> unknown;
  for (const PositionReport& position : positions)
    if (!agents_.report(position, now)) unknown.push_back(position.id);
  return unknown;
}

std::uint64_t Engine::remove_agents(std::span<const AgentId> agents, EventReason reason) {
  if (tap_ != nullptr) tap_->on_remove(agents, reason);
  std::uint64_t removed = 0;
  for (const AgentId id : agents) removed += agents_.remove(id, reason) ? 1 : 0;
  return removed;
}

StepReport Engine::plan(WorkUnits budget, Micros now) {
  if (tap_ != nullptr) tap_->on_plan(budget, now);
  StepReport report;
  const SpentUnits spent = agents_.plan(budget, now);
  report.used = spent.used;
  report.done = spent.done;
  report.revision = revision();
  report.frame = agents_.frame();
  const WaitingBook& waiting = agents_.waiting();
  report.backlog = waiting.size();
  report.oldest_wait_frames = waiting.oldest_wait(report.frame);
  report.late = waiting.late(std::nullopt, now);
  report.idle = report.backlog == 0;
  return report;
}

}  // namespace repath
