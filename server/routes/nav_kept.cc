// Searches on a mesh that their owners keep (KeptRouteSearch). The any-angle search answers each
// question from scratch, as far as it can. A search over portals that is repaired
// (routes/portal_graph.h) takes the place of CorridorSearch. So answers claim what fresh ones
// claim.
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/check.h"
#include "routes/kept_kernels.h"
#include "routes/nav_search.h"
#include "routes/places.h"
#include "routes/portal_graph.h"

namespace repath {
namespace {

// A search over portals that is repaired. It reads one ground at a time.
class PortalSearch final : public CorridorSource {
 public:
  // A start-rooted kind begins at `start` for ever.
  PortalSearch(SearchKind kind, const NavGround* ground, const MeshPlace& start, const Spot& goal)
      : kind_(kind), ground_(ground), goal_(goal) {
    begin_anew(start);
  }

  void read(const NavGround* ground) {
    ground_ = ground;
    graph_->read(ground);
    is_changed_ = true;
  }
  // Notes that the ground of these base cells changed, by one edit or one switch of links.
  void note_changed(std::span<const NodeId> base_cells) {
    changed_.insert(base_cells.begin(), base_cells.end());
    is_changed_ = true;
    ++edits_noted_;
  }

  void begin(const MeshPlace& from) override {
    if (needs_fresh_start()) return begin_anew(from);
    std::vector<NodeId> nodes;
    if (is_changed_) {
      graph_->take_in(std::vector<NodeId>(changed_.begin(), changed_.end()), &nodes);
      graph_->place_goal(goal_place());
    }
    graph_->place_start(from, &nodes);
    if (is_changed_) graph_->append_ends(&nodes);
    note_read();
    for (const NodeId node : nodes) kernel_->on_edges_changed(node);
  }
  Progress advance(std::uint32_t* expansions) override {
    return kernel_->advance(graph_->start(), expansions);
  }
  const CorridorPath& path() override {
    std::vector<NodeId> nodes;
    REPATH_CHECK(kernel_->append_path(graph_->start(), &nodes));
    graph_->trace(nodes, &path_);
    return path_;
  }
  std::size_t bytes() const {
    constexpr std::size_t kPerChanged = 40;
    return graph_->bytes() + kernel_->bytes() + path_.bytes() + changed_.size() * kPerChanged;
  }

 private:
  static constexpr std::size_t kGoneKept = 256;  // nodes, and as many more as there are others

  std::optional<MeshPlace> goal_place() const {
    const std::optional<RoutePlace> place = stand_again(*ground_, goal_);
    return place ? std::optional(mesh_place(*place)) : std::nullopt;
  }
  // Returns whether the mesh was edited without note_changed(), whether most of what is kept is
  // gone, or whether the graph is full.
  bool needs_fresh_start() const {
    return !graph_->has_room() || ground_->mesh().edits() - edits_read_ > edits_noted_ ||
           graph_->gone() > kGoneKept + graph_->size() / 2;
  }
  void begin_anew(const MeshPlace& from) {
    const MeshPlace to = place_in(0, {goal_.x, goal_.z});
    const bool has_root = kind_ != SearchKind::kField;
    graph_ = std::make_unique<PortalGraph>(
        ground_, Point{to.x, to.z}, has_root ? std::optional(Point{from.x, from.z}) : std::nullopt);
    graph_->place_goal(goal_place());
    std::vector<NodeId> nodes;
    graph_->place_start(from, &nodes);
    kernel_ = make_kept_kernel(kind_, *graph_, graph_->start(), GoalSet{PortalGraph::kGoal});
    note_read();
  }
  void note_read() {
    changed_.clear();
    is_changed_ = false;
    edits_noted_ = 0;
    edits_read_ = ground_->mesh().edits();
  }

  SearchKind kind_;
  const NavGround* ground_;
  Spot goal_;
  std::unique_ptr<PortalGraph> graph_;
  std::unique_ptr<PathSearch> kernel_;  // reads graph_
  CorridorPath path_;
  std::set<NodeId> changed_;  // base cells, since it began last
  bool is_changed_ = false;
  std::uint32_t edits_noted_ = 0;
  std::uint32_t edits_read_ = 0;
};

class KeptNavSearch final : public KeptRouteSearch {
 public:
  KeptNavSearch(SearchKind kind, const NavGround* ground, std::shared_ptr<const NavKernels> kernels,
                const RoutePlace& from, const RoutePlace& goal)
      : ground_(ground),
        kernels_(std::move(kernels)),
        goal_(goal.at),
        portals_(kind, ground, mesh_place(from), goal.at) {}

  void read(const RouteGround& ground) override {
    question_.reset();
    ground_ = static_cast<const NavGround*>(&ground);
    portals_.read(ground_);
  }
  void on_edges_changed(std::span<const NodeId> base_cells) override {
    question_.reset();
    portals_.note_changed(base_cells);
  }
  Progress advance(const RoutePlace& from, std::uint32_t* expansions) override {
    if (question_ == nullptr || !(asked_from_ == from.at)) {
      question_.reset();
      const std::optional<RoutePlace> start = stand_again(*ground_, from.at);
      const std::optional<RoutePlace> goal = stand_again(*ground_, goal_);
      if (!start || !goal) return Progress::kNoPath;
      asked_from_ = from.at;
      question_ = std::make_unique<NavSearch>(ground_, kernels_, std::nullopt, *start,
                                              std::span(&*goal, 1), 0);
      question_->ask(&portals_);
    }
    return question_->advance(expansions);
  }
  Cost cost(const RoutePlace&) const override { return question_->cost(); }
  Cost lower_bound(const RoutePlace&) const override { return question_->lower_bound(); }
  void append_route(const RoutePlace&, std::vector<RoutePoint>* out) const override {
    question_->append_route(out);
  }
  std::size_t bytes() const override { return sizeof *this + portals_.bytes(); }

 private:
  const NavGround* ground_;
  std::shared_ptr<const NavKernels> kernels_;
  Spot goal_;
  PortalSearch portals_;
  Spot asked_from_;
  std::unique_ptr<NavSearch> question_;  // about the ground as it is; null: none was asked yet
};

}  // namespace

std::unique_ptr<KeptRouteSearch> NavGround::kept_search(SearchKind kind, const RoutePlace& from,
                                                        std::span<const RoutePlace> goals) const {
  if (!is_incremental(kind) || goals.size() != 1) return nullptr;
  return std::make_unique<KeptNavSearch>(kind, this, kernels_, from, goals.front());
}

}  // namespace repath
