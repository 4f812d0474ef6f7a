#include "grid_ground/search_state.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"

namespace repath {
namespace {

// Taking in a changed node looks at its neighbours once, an expansion writes to them.
constexpr std::uint64_t kFedNodesPerUnit = 8;

}  // namespace

SearchState::SearchState(const World& world, const DeltaLog& log, ViewId view, const Goals& goals,
                         SearchKind kind, SearchMemory& memory)
    : world_(world),
      log_(log),
      view_(view),
      goals_(goals),
      kind_(kind),
      memory_(memory),
      graph_(world.graph(view)) {}

SearchState::~SearchState() {
  if (use_ != 0) memory_.by_use_.erase(use_);
  want_no_pin();
  unpin();
  memory_.bytes_ -= bytes_noted_;
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
  fixed_ = true;
  revision_ = world_.revision();
  if (kind_ == SearchKind::kJump) jumps_ = *world_.jumps(view_);
  search_ = make_search(kind_, graph_, jumps_, memory_.idle(), goals_, start);
  want_pin();
}

bool SearchState::can_follow(std::uint64_t nodes_max) const {
  return search_ != nullptr && is_incremental(kind_) && log_.covers(view_, revision_) &&
         log_.changed_nodes_after(view_, revision_) <= nodes_max;
}

void SearchState::follow() {
  REPATH_CHECK(search_ != nullptr && is_incremental(kind_));
  read_live();
  fixed_ = false;
  want_no_pin();
}

void SearchMemory::pin_all() {
  for (SearchState* state : to_pin_) {
    state->pin();
    state->pin_at_ = SearchState::kNoPlace;
  }
  to_pin_.clear();
}

void SearchState::pin() {
  if (kind_ == SearchKind::kField && !pinned_) ++memory_.pinned_fields_;
  pinned_ = world_.layer(view_);
  graph_ = GridGraph(&*pinned_, graph_.topology(), graph_.corner_rule());
}

void SearchState::unpin() {
  if (kind_ == SearchKind::kField && pinned_) --memory_.pinned_fields_;
  pinned_.reset();
}

void SearchState::rest() {
  if (!pinned_) leave_revision();
}

void SearchState::leave_revision() {
  if (is_incremental(kind_)) {
    follow();
  } else {
    give_up();
  }
}

void SearchState::give_up() {
  search_.reset();
  unpin();
  jumps_ = {};
  want_no_pin();
  note_use();
}

void SearchState::note_use() {
  auto entry = memory_.by_use_.extract(use_);
  use_ = ++memory_.last_use_;
  if (entry.empty()) {
    memory_.by_use_.emplace(use_, this);
  } else {
    entry.key() = use_;
    memory_.by_use_.insert(memory_.by_use_.end(), std::move(entry));
  }
  memory_.bytes_ -= bytes_noted_;
  bytes_noted_ = bytes();
  memory_.bytes_ += bytes_noted_;
}

SearchState::Slice SearchState::advance(NodeId target, WorkUnits grant) {
  Slice slice;
  if (!fixed_) slice.used = catch_up();
  if (slice.used >= grant && slice.used > 0) return slice;
  const WorkUnits rest = grant - slice.used;
  const auto most = static_cast<std::uint32_t>(
      std::min<WorkUnits>(rest, std::numeric_limits<std::uint32_t>::max()));
  std::uint32_t left = most;
  slice.progress = search_->advance(target, &left);
  slice.used += most - left;
  return slice;
}

std::uint64_t SearchState::bytes() const {
  return sizeof(*this) + (search_ ? search_->bytes() : 0) + (pinned_ ? pinned_->bytes() / 8 : 0);
}

void SearchState::read_live() {
  unpin();
  graph_ = world_.graph(view_);
}

// The kernel borrows graph_, which stays where it is; what it shows has changed.
WorkUnits SearchState::catch_up() {
  std::uint64_t nodes = 0;
  log_.for_each_after(view_, revision_, [&](const LoggedDelta& logged) {
    nodes += logged.delta.changed_nodes.size();
    for (const NodeId node : logged.delta.changed_nodes) search_->on_edges_changed(node);
  });
  revision_ = world_.revision();
  return (nodes + kFedNodesPerUnit - 1) / kFedNodesPerUnit;
}

}  // namespace repath
