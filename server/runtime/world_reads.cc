// WorldHost's part that reads the world back: pages, and whole copies in pieces.
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "runtime/world_host.h"

namespace repath {

void WorldHost::read_terrain(TerrainQuestion question, Answer<TerrainPage> answer) {
  ask(std::move(answer),
      [this, question = std::move(question)] { return engine_->read_terrain(question); });
}

void WorldHost::read_graph(GraphQuestion question, Answer<GraphPage> answer) {
  ask(std::move(answer),
      [this, question = std::move(question)] { return engine_->read_graph(question); });
}

void WorldHost::read_obstacles(ObstacleQuestion question, Answer<ObstaclePage> answer) {
  ask(std::move(answer),
      [this, question = std::move(question)] { return engine_->read_obstacles(question); });
}

void WorldHost::list_verdicts(AgentId agent, Answer<PastVerdicts> answer) {
  ask(std::move(answer), [this, agent]() -> absl::StatusOr<PastVerdicts> {
    PastVerdicts past{hub_->diary().of(agent), now_us()};
    if (!past.entries.empty() || engine_->owner_of(agent)) return past;
    return make_error(absl::StatusCode::kNotFound, "AGENT_UNKNOWN", "agent_id",
                      "there is no agent " + std::to_string(value(agent)));
  });
}

void WorldHost::copy(Answer<std::shared_ptr<const WorldContent>> answer) {
  on_strand([this, answer = std::move(answer)]() mutable {
    if (absl::Status refused = refusal(); !refused.ok()) return answer(std::move(refused));
    absl::StatusOr<CopyId> begun = CopyId{};
    if (!guard("export", [&] { begun = engine_->begin_copy(); })) return answer(quarantined());
    if (!begun.ok()) return answer(begun.status());
    ++copies_;
    advance_copy(*begun, std::move(answer));
  });
}

void WorldHost::advance_copy(CopyId copy, Answer<std::shared_ptr<const WorldContent>> answer) {
  const auto end = [&](absl::Status status) {
    --copies_;
    answer(std::move(status));
  };
  if (absl::Status refused = refusal(); !refused.ok()) return end(std::move(refused));
  if (absl::Status over = answer.over(); !over.ok()) {
    engine_->end_copy(copy);
    return end(std::move(over));
  }
  std::optional<WorldContent> whole;
  if (!guard("export", [&] { whole = engine_->advance_copy(copy, kCopyPieceBytes); }))
    return end(quarantined());
  if (whole) --copies_;
  if (whole) return answer(std::make_shared<const WorldContent>(*std::move(whole)));
  on_strand([this, copy, answer = std::move(answer)]() mutable {
    advance_copy(copy, std::move(answer));
  });
}

}  // namespace repath
