#include "grid_ground/flood.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace repath {

Flood::Flood(const GridGraph& graph, const Goals& goals, NodeId start)
    : graph_(graph),
      goals_(goals),
      root_(start),
      reached_(graph, std::array{Source{start, 0}}, goals.nodes()) {}

Progress Flood::advance(NodeId target, std::uint32_t* expansions) {
  if (const Progress progress = reached_.advance(expansions); progress != Progress::kNoPath)
    return progress;
  if (ends_.empty()) find_ends();
  if (is_on_path(target) || !reached_.is_settled(target)) return Progress::kNoPath;
  if (!to_ends_) {
    std::vector<Source> sources;
    for (const NodeId end : ends_) sources.push_back({end, 0});
    to_ends_.emplace(graph_, sources);
  }
  return to_ends_->advance(expansions);
}

void Flood::find_ends() {
  Cost least = kUnreachable;
  for (const NodeId n : reached_.settled()) {
    const Cost distance = goals_.distance(place_of(graph_.layer(), n));
    if (distance > least) continue;
    if (distance < least) ends_.clear();
    least = distance;
    ends_.push_back(n);
  }
  std::ranges::sort(ends_);
  const NodeId own =
      *std::ranges::min_element(ends_, {}, [this](NodeId n) { return reached_.cost(n); });
  reached_.append_path(own, &path_);
}

bool Flood::is_on_path(NodeId target) const {
  return std::ranges::find(path_, target) != path_.end();
}

bool Flood::append_path(NodeId target, std::vector<NodeId>* out) const {
  const std::size_t first = out->size();
  reached_.append_path(reached_.goal(), out);
  return keep_rest(first, target, out);
}

bool Flood::append_partial_path(NodeId target, std::vector<NodeId>* out) const {
  const std::size_t first = out->size();
  out->insert(out->end(), path_.begin(), path_.end());
  if (keep_rest(first, target, out)) return true;
  if (!to_ends_ || !to_ends_->is_settled(target)) return false;
  append_way_back(target, out);
  return true;
}

// Appends the way back over every step of a cheapest path, for there may be several ends at the
// same cost.
void Flood::append_way_back(NodeId target, std::vector<NodeId>* out) const {
  std::unordered_map<NodeId, NodeId> before{{target, kNoNode}};
  std::vector<NodeId> found{target};
  NodeId end = kNoNode;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const NodeId at = found[i];
    const Cost rest = to_ends_->cost(at);
    if (rest == 0) end = std::min(end, at);
    graph_.for_each_successor(at, [&](NodeId to, Cost step) {
      if (step + to_ends_->cost(to) == rest && before.emplace(to, at).second) found.push_back(to);
    });
  }
  const auto first = static_cast<std::ptrdiff_t>(out->size());
  for (NodeId n = end; n != kNoNode; n = before.at(n)) out->push_back(n);
  std::reverse(out->begin() + first, out->end());
}

std::size_t Flood::bytes() const {
  return reached_.bytes() + (to_ends_ ? to_ends_->bytes() : 0) +
         (ends_.capacity() + path_.capacity()) * sizeof(NodeId);
}

}  // namespace repath
