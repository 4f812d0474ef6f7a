// The goals in use: agents with equal goals, radius, profile and team share one entry, and through
// it the search for a goal field.
//
// Not thread-safe. An entry holds one use of its view for as long as an agent uses the entry.
// Borrows the world, the delta log, the labels and the clusters, which must outlive it; a view that
// is not used any more is closed in all three.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "agents/agent.h"
#include "grid/cells/goals.h"
#include "grid/cells/graph.h"
#include "grid_ground/cluster_maps.h"
#include "grid_ground/delta_log.h"
#include "grid_ground/reachability.h"
#include "grid_ground/search_state.h"
#include "world/world.h"

namespace repath {

enum class GoalsId : std::uint32_t {};
constexpr std::uint32_t index(GoalsId g) { return static_cast<std::uint32_t>(g); }

struct GoalsEntry {
  Goals goals;
  ViewId view{};
  std::uint32_t agents = 0;
  std::uint32_t waiting = 0;           // number of these agents that wait
  std::unique_ptr<SearchState> field;  // shared by them; may be null
};

class GoalTable {
 public:
  GoalTable(World& world, DeltaLog& log, Reachability& reach, ClusterMaps& clusters)
      : world_(world), log_(log), reach_(reach), clusters_(clusters) {}

  // Adds a use of the entry for these goals. Fails with NOT_FOUND (PROFILE_UNKNOWN) or
  // RESOURCE_EXHAUSTED as World::acquire_view does. REQUIRES: valid points and radius.
  absl::StatusOr<GoalsId> acquire(const AgentSpec& spec);
  // Takes a use off. The last one removes the entry and its field.
  void release(GoalsId id);

  GoalsEntry& operator[](GoalsId id) { return *entries_[index(id)]; }
  const GoalsEntry& operator[](GoalsId id) const { return *entries_[index(id)]; }

  // Appends the revisions that fields read to their end, of entries with agents that wait. O(all).
  void append_read_by_fields(std::vector<Revision>* revisions) const;

  // Number of entries that have a field now.
  std::uint64_t fields() const;

 private:
  using Key = std::tuple<std::uint32_t, double, std::vector<std::pair<double, double>>>;
  static Key key_of(ViewId view, const AgentSpec& spec);

  World& world_;
  DeltaLog& log_;
  Reachability& reach_;
  ClusterMaps& clusters_;
  std::vector<std::unique_ptr<GoalsEntry>> entries_;  // null: free for use
  std::vector<Key> keys_;                             // by id
  std::vector<std::uint32_t> empty_;
  std::map<Key, GoalsId> by_key_;
  std::map<ViewId, std::uint32_t> view_uses_;
};

}  // namespace repath
