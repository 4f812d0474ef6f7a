#include "routes/parts_reach.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace repath {
namespace {

// Splits a list that is sorted by `key` into runs of at most `most` different keys, and calls
// `visit(run)` for each until it returns false. Returns whether it visited all.
template <class T, class Visit>
bool for_each_run(std::span<const T> list, std::size_t most, std::uint32_t T::*key, Visit&& visit) {
  std::size_t first = 0;
  std::size_t keys = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > first && list[i].*key == list[i - 1].*key) continue;
    if (++keys <= most) continue;
    if (!visit(list.subspan(first, i - first))) return false;
    first = i;
    keys = 1;
  }
  return first == list.size() || visit(list.subspan(first));
}

template <class T>
std::size_t count_keys(std::span<const T> list, std::uint32_t T::*key) {
  std::vector<std::uint32_t> keys;
  keys.reserve(list.size());
  for (const T& entry : list) keys.push_back(entry.*key);
  std::ranges::sort(keys);
  return static_cast<std::size_t>(std::unique(keys.begin(), keys.end()) - keys.begin());
}

void set_lane(std::size_t lane, std::span<std::uint64_t> marks) {
  marks[lane / 64] |= std::uint64_t{1} << (lane % 64);
}
bool has_lane(std::size_t lane, std::span<const std::uint64_t> marks) {
  return (marks[lane / 64] >> (lane % 64) & 1) != 0;
}
void add_lanes(std::span<const std::uint64_t> from, std::span<std::uint64_t> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] |= from[i];
}

}  // namespace

bool PartsReach::answer(std::span<const ReachQuestion> questions,
                        std::span<const std::span<const RoutePlace>> goals, WorkMeter* meter,
                        std::vector<bool>* leads) {
  leads->assign(questions.size(), false);
  if (!look_at_goals(goals, meter)) return false;
  std::vector<Open> open;
  std::vector<std::uint32_t> begins;
  for (std::uint32_t q = 0; q < questions.size(); ++q) {
    const std::vector<std::uint32_t>& ends = ends_[questions[q].goals];
    if (!meter->spend(kUnitsOfPlace)) return false;
    if (ends.empty()) continue;
    begins.clear();
    append_parts(questions[q].from, &begins);
    const auto is_end = [&](std::uint32_t part) { return std::ranges::binary_search(ends, part); };
    if (std::ranges::any_of(begins, is_end)) {
      (*leads)[q] = true;
    } else if (parts_ != nullptr) {
      for (const std::uint32_t begin : begins)
        if (begin > ends.front()) open.push_back({q, begin, questions[q].goals});
    }
  }
  if (open.empty()) return true;
  const std::span<const Open> all = open;
  return count_keys(all, &Open::goals) <= count_keys(all, &Open::begin)
             ? sweep_from_goals(std::move(open), meter, leads)
             : sweep_from_begins(std::move(open), meter, leads);
}

bool PartsReach::look_at_goals(std::span<const std::span<const RoutePlace>> goals,
                               WorkMeter* meter) {
  ends_.assign(goals.size(), {});
  for (std::size_t i = 0; i < goals.size(); ++i) {
    if (!meter->spend(kUnitsOfPlace * goals[i].size())) return false;
    for (const RoutePlace& goal : goals[i]) append_parts(goal, &ends_[i]);
    std::ranges::sort(ends_[i]);
    ends_[i].erase(std::unique(ends_[i].begin(), ends_[i].end()), ends_[i].end());
  }
  return true;
}

PartsReach::Range PartsReach::range_of(std::span<const Open> open) const {
  Range range{open[0].begin, open[0].begin};
  for (const Open& one : open) {
    range.low = std::min(range.low, ends_[one.goals].front());
    range.high = std::max(range.high, one.begin);
  }
  return range;
}

bool PartsReach::clear_marks(const Range& range, WorkMeter* meter) {
  const std::uint64_t parts = std::uint64_t{range.high} - range.low + 1;
  if (!meter->spend(parts + parts_->step_count(range.low, range.high))) return false;
  marks_.assign(parts, {});
  return true;
}

// A lane stands for goals: it marks the parts that lead to one of them, from lower to higher parts.
bool PartsReach::sweep_from_goals(std::vector<Open> open, WorkMeter* meter,
                                  std::vector<bool>* leads) {
  std::ranges::sort(open, {}, &Open::goals);
  return for_each_run(std::span<const Open>(open), kLanes, &Open::goals,
                      [&](std::span<const Open> run) {
                        const Range range = range_of(run);
                        if (!clear_marks(range, meter)) return false;
                        std::size_t lane = 0;
                        for (std::size_t i = 0; i < run.size(); ++i) {
                          if (i > 0 && run[i].goals == run[i - 1].goals) continue;
                          for (const std::uint32_t end : ends_[run[i].goals])
                            if (end <= range.high) set_lane(lane, marks(range, end));
                          ++lane;
                        }
                        for (std::uint32_t part = range.low; part <= range.high; ++part)
                          for (const std::uint32_t to : parts_->steps_from(part))
                            if (to >= range.low) add_lanes(marks(range, to), marks(range, part));
                        lane = 0;
                        for (std::size_t i = 0; i < run.size(); ++i) {
                          if (i > 0 && run[i].goals != run[i - 1].goals) ++lane;
                          if (has_lane(lane, marks(range, run[i].begin)))
                            (*leads)[run[i].question] = true;
                        }
                        return true;
                      });
}

// A lane stands for a part where questions begin: it marks the parts to which that one leads, from
// higher to lower parts.
bool PartsReach::sweep_from_begins(std::vector<Open> open, WorkMeter* meter,
                                   std::vector<bool>* leads) {
  std::ranges::sort(open, {}, &Open::begin);
  return for_each_run(std::span<const Open>(open), kLanes, &Open::begin,
                      [&](std::span<const Open> run) {
                        const Range range = range_of(run);
                        if (!clear_marks(range, meter)) return false;
                        std::size_t lane = 0;
                        for (std::size_t i = 0; i < run.size(); ++i) {
                          if (i > 0 && run[i].begin != run[i - 1].begin) ++lane;
                          set_lane(lane, marks(range, run[i].begin));
                        }
                        for (std::uint32_t part = range.high + 1; part-- > range.low;) {
                          if (marks(range, part) == Marks{}) continue;
                          for (const std::uint32_t to : parts_->steps_from(part))
                            if (to >= range.low) add_lanes(marks(range, part), marks(range, to));
                        }
                        lane = 0;
                        for (std::size_t i = 0; i < run.size(); ++i) {
                          if (i > 0 && run[i].begin != run[i - 1].begin) ++lane;
                          const std::vector<std::uint32_t>& ends = ends_[run[i].goals];
                          if (std::ranges::any_of(ends, [&](std::uint32_t end) {
                                return end <= range.high && has_lane(lane, marks(range, end));
                              }))
                            (*leads)[run[i].question] = true;
                        }
                        return true;
                      });
}

}  // namespace repath
