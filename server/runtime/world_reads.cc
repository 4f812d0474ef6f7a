// WorldHost's part that reads the world back: pages, and whole copies in pieces.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "runtime/world_host.h"
#include "store/store_errors.h"

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
    begin_copy_now(std::move(answer));
  });
}

void WorldHost::begin_copy_now(Answer<std::shared_ptr<const WorldContent>> answer) {
  absl::StatusOr<CopyId> begun = CopyId{};
  if (!guard("export", [&] { begun = engine_->begin_copy(); })) return answer(quarantined());
  if (!begun.ok()) return answer(begun.status());
  ++copies_;
  advance_copy(*begun, std::move(answer));
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

// ---- forks ----

void WorldHost::fork_point(Revision wanted, std::optional<Revision> base,
                           Answer<ForkPoint> answer) {
  on_strand([this, wanted, base, answer = std::move(answer)]() mutable {
    absl::Status refused = refusal();
    if (refused.ok()) refused = answer.over();
    if (!refused.ok()) return answer(std::move(refused));
    give_fork_point(wanted, base, std::move(answer));
  });
}

void WorldHost::give_fork_point(Revision wanted, std::optional<Revision> base,
                                Answer<ForkPoint> answer) {
  const Revision now = engine_->revision();
  if (wanted == Revision{0}) wanted = now;
  if (wanted > now)
    return answer(make_error(absl::StatusCode::kOutOfRange, "REVISION_NOT_YET", "revision",
                             "the world is at revision " + std::to_string(value(now))));
  if (keeping_)
    return answer_when_durable(std::move(answer), absl::StatusOr<ForkPoint>(ForkPoint{wanted}));
  if (wanted == now) {
    const auto take = [answer, wanted](absl::StatusOr<std::shared_ptr<const WorldContent>> copy) {
      if (!copy.ok()) return answer(copy.status());
      answer(ForkPoint{wanted, *std::move(copy)});
    };
    return begin_copy_now({take, [answer] { return answer.over(); }});
  }
  if (!base || *base > wanted || log_->oldest() > next(*base))
    return answer(history_gone(base && *base > wanted ? *base : now, "revision",
                               "what can be rebuilt of the world"));
  absl::StatusOr<LogPage> page = LogPage{};
  if (wanted > *base) page = log_->read(next(*base), value(wanted) - value(*base), SIZE_MAX);
  if (!page.ok()) return answer(page.status());
  answer(ForkPoint{wanted, nullptr, std::move(page->records)});
}

}  // namespace repath
