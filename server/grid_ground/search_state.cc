#include "grid_ground/search_state.h"

#include <utility>

namespace repath {

SearchState::SearchState(const World& world, const DeltaLog& log, ViewId view, const Goals& goals,
                         SearchKind kind, SearchMemory& memory)
    : KeptState(kind, memory),
      world_(world),
      log_(log),
      view_(view),
      goals_(goals),
      memory_(memory),
      graph_(world.graph(view)) {}

SearchState::~SearchState() {
  search_.reset();  // it borrows what goes before the base does
  want_no_pin();
  unpin();
}

void SearchState::want_pin() {
  if (pin_at_ != kNoPlace) return;
  pin_at_ = memory_.to_pin_.size();
  memory_.to_pin_.push_back(this);
}

void SearchState::want_no_pin() {
  if (pin_at_ == kNoPlace) return;
  memory_.to_pin_.back()->pin_at_ = pin_at_;
  memory_.to_pin_[pin_at_] = memory_.to_pin_.back();
  memory_.to_pin_.pop_back();
  pin_at_ = kNoPlace;
}

void SearchState::begin(NodeId start) {
  read_live();
  if (kind() == SearchKind::kJump) jumps_ = *world_.jumps(view_);
  begin_with(make_search(kind(), graph_, jumps_, memory_.idle(), goals_, start));
  want_pin();
}

void SearchMemory::pin_all() {
  for (SearchState* state : to_pin_) {
    state->pin();
    state->pin_at_ = SearchState::kNoPlace;
  }
  to_pin_.clear();
}

void SearchState::pin() {
  if (kind() == SearchKind::kField && !pinned_) ++memory_.pinned_fields_;
  pinned_ = world_.layer(view_);
  graph_ = GridGraph(&*pinned_, graph_.topology(), graph_.corner_rule());
}

void SearchState::unpin() {
  if (kind() == SearchKind::kField && pinned_) --memory_.pinned_fields_;
  pinned_.reset();
}

void SearchState::rest() {
  if (!pinned_) leave_revision();
}

void SearchState::let_go() {
  unpin();
  jumps_ = {};
  want_no_pin();
}

void SearchState::read_live() {
  unpin();
  graph_ = world_.graph(view_);
}

std::uint64_t SearchState::feed() {
  std::uint64_t nodes = 0;
  log_.for_each_after(view_, revision(), [&](const LoggedDelta& logged) {
    nodes += logged.delta.changed_nodes.size();
    for (const NodeId node : logged.delta.changed_nodes) search_->on_edges_changed(node);
  });
  return nodes;
}

}  // namespace repath
