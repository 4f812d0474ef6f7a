// What a stream that begins is told: each agent's latest verdict. Streams that begin while the
// world stays as it is share the events, and so their bytes.
//
// Not thread-safe; owned by the world's strand. Borrows the engine, which must outlive it.
// Invariants: 1. what is kept is what the engine would say now, for forget() is called after
// whatever changes it; 2. it keeps at most kKeptBytes, and nothing that no stream has asked for in
// the last kKeptUs.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "engine/engine.h"
#include "runtime/shared_event.h"

namespace repath {

class LatestVerdicts {
 public:
  explicit LatestVerdicts(Engine& engine) : engine_(engine) {}

  static constexpr Micros kKeptUs = 5'000'000;

  const Engine& engine() const { return engine_; }
  // All agents, ascending.
  const std::vector<AgentId>& agents();
  // Null if it has none, or is gone. O(log agents + path), O(1) if another stream asked before.
  EventPtr of(AgentId agent);
  void forget();

  // They are asked for.
  void use(Micros now) { used_at_ = now; }
  // When what is kept is to be forgotten, if nobody asks before.
  std::optional<Micros> expiry() const;
  void expire(Micros now);

 private:
  // Of events, their paths and their bytes, by estimate: about 40,000 verdicts with short paths.
  // More are made anew for each stream.
  static constexpr std::size_t kKeptBytes = 32u << 20;

  Engine& engine_;
  std::vector<AgentId> agents_;                  // empty: not known
  absl::flat_hash_map<AgentId, EventPtr> kept_;  // never iterated
  std::size_t kept_bytes_ = 0;
  Micros used_at_ = 0;
};

}  // namespace repath
