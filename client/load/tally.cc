#include "load/tally.h"

#include <numeric>

namespace repath::load {

std::uint64_t Tally::all_verdicts() const {
  return std::accumulate(verdicts.begin(), verdicts.end(), std::uint64_t{0});
}

std::uint64_t Tally::all_errors() const {
  std::uint64_t all = 0;
  for (const auto& [code, count] : errors) all += count;
  return all;
}

}  // namespace repath::load
