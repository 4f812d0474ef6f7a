// Registry's part that answers questions about worlds as they were.
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "runtime/registry.h"

namespace repath {
namespace {

// Returns an error of the fork that a past world is made by, with the field of the question.
absl::Status of_past(const absl::Status& status) {
  return error_field(status) == "revision" ? with_field(status, "at_revision") : status;
}

}  // namespace

void Registry::query(const std::shared_ptr<WorldHost>& host, QueryFor who,
                     std::shared_ptr<const StopToken> caller, const WorldCodec& codec,
                     WorldHost::QueryJob job) {
  if (who.at_revision == Revision{}) return host->query(std::move(who), std::move(job));
  if (who.min_revision != Revision{})
    return job(invalid_field("OPTIONS_CONFLICT", "min_revision", "must be 0 with at_revision"));
  PastCall call{host, who.at_revision, who.client, std::move(caller), codec};
  const auto ask = [name = host->facts().name, who = std::move(who),
                    job = std::move(job)](const PastWorlds::Made& past) {
    if (!past.ok()) return job(past.status());
    const std::exception_ptr thrown = run_guarded([&] {
      job((*past)->use([&](Engine& engine) { return engine.capture(who.profile, who.team); }));
    });
    if (thrown != nullptr) job(making_failed(name, thrown));
  };
  use_past(std::move(call), ask);
}

void Registry::use_past(PastCall call, PastWorlds::Take use) {
  const QueryGate::Slot slot = threads_.query_gate().enter();
  if (!slot) return use(threads_.query_gate().full());
  const auto take = [this, client = call.client, slot, use](const PastWorlds::Made& past) {
    threads_.queries().post(client, [past, slot, use] { use(past); });
  };
  const PastWorlds::Key key{call.host->facts().epoch, call.at};
  const std::shared_ptr<const MakingStop> stop = past_.want(key, call.caller, take);
  if (stop == nullptr) return;
  const std::shared_ptr<const Origin> origin = origin_of(*call.host);
  const std::optional<Revision> base =
      origin == nullptr ? std::nullopt : std::optional(origin->revision);
  const auto make = [this, call, key, stop, origin](absl::StatusOr<ForkPoint> point) {
    if (!point.ok()) {
      past_.settle(key, of_past(point.status()));
      return;
    }
    NewWorld order;
    order.name = call.host->facts().name;
    complete_fork(call.host, origin, call.codec, *std::move(point), &order);
    threads_.queries().post(call.client, [this, call, key, stop, order = std::move(order)] {
      make_past(call, key, order, *stop);
    });
  };
  call.host->fork_point(call.at, base, make);
}

void Registry::make_past(const PastCall& call, const PastWorlds::Key& key, const NewWorld& order,
                         const StopToken& stop) {
  const auto make = [&]() -> PastWorlds::Made {
    REPATH_RETURN_IF_ERROR(check_memory(call.host->memory_bytes()));
    WorldFacts facts = call.host->facts();
    absl::StatusOr<std::unique_ptr<Engine>> engine = make_engine_of(order, stop, &facts);
    if (!engine.ok()) return of_past(engine.status());
    return std::make_shared<PastWorld>(*std::move(engine), total_);
  };
  PastWorlds::Made made = guard_making(order.name, make);
  while (!past_.settle(key, made)) made = guard_making(order.name, make);
}

std::shared_ptr<const Registry::Origin> Registry::origin_of(const WorldHost& host) {
  const std::lock_guard lock(mutex_);
  const auto at = worlds_.find(host.facts().name);
  return at == worlds_.end() || at->second.host.get() != &host ? nullptr : at->second.origin;
}

}  // namespace repath
