// WorldHost's queries: takes a snapshot from the cache or the strand, then runs the job on a query
// thread.
#include <functional>
#include <utility>

#include "base/error.h"
#include "runtime/world_host.h"

namespace repath {
namespace {

absl::Status not_yet(Revision wanted, Revision now) {
  return make_error(absl::StatusCode::kFailedPrecondition, "REVISION_NOT_YET", "min_revision",
                    "the world is at revision " + std::to_string(value(now)) + ", below " +
                        std::to_string(value(wanted)));
}

}  // namespace

template <class Captured>
void WorldHost::answer_query(Captured snapshot, const QueryFor& who,
                             std::function<void(absl::StatusOr<Captured>)> job,
                             QueryGate::Slot slot) {
  if (snapshot.revision < who.min_revision)
    return job(not_yet(who.min_revision, snapshot.revision));
  threads_.queries().post(who.client, [self = shared_from_this(), snapshot = std::move(snapshot),
                                       job = std::move(job), slot = std::move(slot)]() mutable {
    const bool done =
        !self->is_quarantined() && self->guard("query", [&] { job(std::move(snapshot)); });
    if (!done) job(self->quarantined());
  });
}

void WorldHost::query(QueryFor who, QueryJob job) {
  if (is_quarantined()) return job(quarantined());
  QueryGate::Slot slot = threads_.query_gate().enter();
  if (!slot) return job(threads_.query_gate().full());
  if (std::optional<AnySnapshot> snapshot = snapshots_.find(who.profile, who.team)) {
    return answer_query(*std::move(snapshot), who, std::move(job), std::move(slot));
  }
  on_strand([this, who = std::move(who), job = std::move(job), slot = std::move(slot)]() mutable {
    query_on_strand(who, std::move(job), std::move(slot));
  });
}

void WorldHost::query_with(AnySnapshot snapshot, ClientKey client, QueryJob job) {
  QueryGate::Slot slot = threads_.query_gate().enter();
  if (!slot) return job(threads_.query_gate().full());
  QueryFor who;
  who.client = client;
  answer_query(std::move(snapshot), who, std::move(job), std::move(slot));
}

std::optional<AnySnapshot> WorldHost::at_hand(const QueryFor& who) const {
  if (is_quarantined() || who.at_revision != Revision{}) return std::nullopt;
  std::optional<AnySnapshot> snapshot = snapshots_.find(who.profile, who.team);
  if (snapshot && snapshot->revision < who.min_revision) snapshot.reset();
  return snapshot;
}

void WorldHost::query_on_strand(const QueryFor& who, QueryJob job, QueryGate::Slot slot) {
  if (const absl::Status refused = refusal(); !refused.ok()) return job(refused);
  std::optional<AnySnapshot> snapshot = snapshots_.find(who.profile, who.team);
  absl::Status status;
  const bool done = snapshot || guard("query", [&] {
                      auto made = engine_->capture(who.profile, who.team);
                      status = made.status();
                      if (!made.ok()) return;
                      snapshot = *std::move(made);
                      if (snapshot->is_final) snapshots_.keep(who.profile, who.team, *snapshot);
                    });
  if (!done) return job(quarantined());
  if (!status.ok()) return job(status);
  answer_query(*std::move(snapshot), who, std::move(job), std::move(slot));
}

void WorldHost::query_placements(QueryFor who, const PlacementQuery& query, PlacementJob job) {
  if (is_quarantined()) return job(quarantined());
  QueryGate::Slot slot = threads_.query_gate().enter();
  if (!slot) return job(threads_.query_gate().full());
  on_strand([this, who = std::move(who), query, job = std::move(job),
             slot = std::move(slot)]() mutable {
    if (const absl::Status refused = refusal(); !refused.ok()) return job(refused);
    absl::StatusOr<PlacementGround> ground = PlacementGround{};
    const bool done =
        guard("query", [&] { ground = engine_->capture_placements(who.profile, who.team, query); });
    if (!done) return job(quarantined());
    if (!ground.ok()) return job(ground.status());
    answer_query(*std::move(ground), who, std::move(job), std::move(slot));
  });
}

}  // namespace repath
