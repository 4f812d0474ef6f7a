#include "load/meter.h"

#include <algorithm>

namespace repath::load {

void Meter::add(Kind kind, Nanos intended, Nanos at) {
  if (!counts(intended)) return;
  const Nanos took = std::max<Nanos>(0, at - intended);
  gauges_[static_cast<std::size_t>(kind)].add(static_cast<std::uint64_t>(took / 1000));
}

void Meter::committed(int world, std::uint64_t revision, Nanos intended) {
  World& w = of(world);
  if (revision <= w.base) return;
  const std::uint64_t place = revision - w.base - 1;
  if (w.intended.size() <= place) w.intended.resize(place + 1);
  w.intended[place] = intended;
  std::erase_if(w.waiting, [&](const Waiting& waiting) {
    if (waiting.revision != revision) return false;
    add(waiting.kind, intended, waiting.at);
    return true;
  });
}

void Meter::heard(int world, Kind kind, std::uint64_t revision, Nanos at) {
  World& w = of(world);
  if (revision <= w.base) return;
  const std::uint64_t place = revision - w.base - 1;
  if (place < w.intended.size() && w.intended[place] != 0) return add(kind, w.intended[place], at);
  w.waiting.push_back({kind, revision, at});
}

std::uint64_t Meter::last_revision(int world) const {
  const World& w = worlds_[static_cast<std::size_t>(world)];
  return w.base + w.intended.size();
}

Nanos Meter::oldest_open(int world, std::uint64_t settled, Nanos at) const {
  const World& w = worlds_[static_cast<std::size_t>(world)];
  const std::uint64_t place = settled < w.base ? 0 : settled - w.base;
  if (place >= w.intended.size() || w.intended[place] == 0) return 0;
  return std::max<Nanos>(0, at - w.intended[place]);
}

std::uint64_t Meter::give_up(int world, Kind kind, std::uint64_t settled, Nanos at) {
  const World& w = of(world);
  std::uint64_t open = 0;
  for (std::size_t i = 0; i < w.intended.size(); ++i) {
    if (w.base + 1 + i <= settled || w.intended[i] == 0 || !counts(w.intended[i])) continue;
    add(kind, w.intended[i], at);
    ++open;
  }
  return open;
}

void Meter::begin_second() {
  for (Gauge& gauge : gauges_) gauge.second.clear();
}

}  // namespace repath::load
