#include "engine/grid_captures.h"

namespace repath {
namespace {

constexpr std::size_t kQueryViewsMax = 32;
// Steps that each query spends on the view's jump map while it is being made: at most 3 ms. So maps
// of up to 1024 x 1024 cells have it from the first query on, larger ones after some more.
constexpr std::size_t kJumpStepsOfAQuery = 768;

}  // namespace

GridCaptures::GridCaptures(World& world, std::uint64_t facts_bytes_max)
    : world_(world),
      facts_memory_(new FactMemory(facts_bytes_max)),
      views_(world, kQueryViewsMax) {}

absl::StatusOr<Snapshot> GridCaptures::capture(const std::string& profile, TeamId team) {
  const absl::StatusOr<Views::Used*> used = views_.use(profile, team);
  if (!used.ok()) return used.status();
  const ViewId view = (*used)->view;
  const GridGraph graph = world_.graph(view);
  Snapshot snapshot{world_.revision(), graph.layer(), graph.topology(), graph.corner_rule(),
                    world_.cell_size()};
  std::size_t steps = kJumpStepsOfAQuery;
  const World::Jumps jumps = world_.keep_jumps(view, &steps);
  snapshot.has_jumps_to_come = jumps == World::Jumps::kBeingMade;
  if (jumps == World::Jumps::kKept) snapshot.jumps = *world_.jumps(view);
  snapshot.radius = world_.view_profile(view).radius / world_.cell_size();
  snapshot.turning_radius = world_.view_profile(view).turning_radius / world_.cell_size();
  if (const GridLayer* ground = world_.ground(view)) snapshot.ground = *ground;
  snapshot.components = components_of(*used);
  if (graph.topology() != Topology::kHex) snapshot.clusters = clusters_of(*used);
  return snapshot;
}

absl::Status GridCaptures::keep_labels(const std::string& profile, TeamId team) {
  const absl::StatusOr<Views::Used*> used = views_.use(profile, team);
  if (used.ok()) components_of(*used);
  return used.status();
}

void GridCaptures::keep_labels_if_room(const std::string& profile, TeamId team) {
  // A view that cannot be kept only costs more when it is asked about.
  if (views_.all().size() < kQueryViewsMax) keep_labels(profile, team).IgnoreError();
}

std::vector<ViewComponents> GridCaptures::labels() {
  std::vector<ViewComponents> labels;
  for (Views::Used& used : views_.all())
    if (used.facts.components) labels.push_back({used.view, &components_of(&used)});
  return labels;
}

const ComponentMap& GridCaptures::components_of(Views::Used* used) const {
  Facts& facts = used->facts;
  if (!facts.components) {
    facts.components.emplace(world_.layer(used->view), world_.view_profile(used->view).topology,
                             facts_memory_);
  } else if (facts.components_at != world_.revision()) {
    facts.components->update(world_.layer(used->view));
  }
  facts.components_at = world_.revision();
  return *facts.components;
}

const HpaMap& GridCaptures::clusters_of(Views::Used* used) const {
  Facts& facts = used->facts;
  const GridGraph graph = world_.graph(used->view);
  if (!facts.clusters) {
    facts.clusters.emplace(graph.layer(), graph.topology(), graph.corner_rule(),
                           hpa_shape_for(graph.layer().width(), graph.layer().height()),
                           facts_memory_);
  } else if (facts.clusters_at != world_.revision()) {
    facts.clusters->update(graph.layer());
  }
  facts.clusters_at = world_.revision();
  return *facts.clusters;
}

std::uint64_t GridCaptures::bytes() const {
  std::uint64_t bytes = facts_memory_->bytes.load(std::memory_order_relaxed);
  for (const Views::Used& used : views_.all()) {
    if (used.facts.components) bytes += used.facts.components->bytes();
    if (used.facts.clusters) bytes += used.facts.clusters->bytes();
  }
  return bytes;
}

}  // namespace repath
