#include "load/schedule.h"

#include <cmath>

namespace repath::load {

Schedule::Schedule(std::vector<Phase> phases) {
  std::uint64_t first = 0;
  for (const Phase& phase : phases) {
    const auto events = static_cast<std::uint64_t>(std::floor(phase.seconds * phase.per_second));
    stretches_.push_back({length_, phase.per_second, first, events});
    first += events;
    length_ += phase.seconds;
  }
}

std::optional<Nanos> Schedule::due(std::uint64_t number) const {
  for (const Stretch& stretch : stretches_) {
    if (number >= stretch.first + stretch.events) continue;
    const double within = static_cast<double>(number - stretch.first) / stretch.per_second;
    return nanos(stretch.from + within);
  }
  return std::nullopt;
}

std::uint64_t Schedule::events() const {
  return stretches_.empty() ? 0 : stretches_.back().first + stretches_.back().events;
}

double Schedule::length_seconds() const { return length_; }

}  // namespace repath::load
