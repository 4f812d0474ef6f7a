#include "verify/tally.h"

#include <cstdio>

namespace repath::verify {
namespace {

constexpr int kDefectsShownMax = 20;

}  // namespace

void Tally::add(Defect kind, std::uint64_t agent, const std::string& what) {
  const char* name = "";
  switch (kind) {
    case Defect::kWrong:
      ++wrong;
      name = "wrong";
      break;
    case Defect::kMissedImprovement:
      ++missed_improvements;
      name = "missed improvement";
      break;
    case Defect::kInvalidPath:
      ++invalid_paths;
      name = "invalid path";
      break;
  }
  if (++shown_ > kDefectsShownMax) return;
  std::fprintf(stderr, "%s: seed %llu, event %llu, agent %llu: %s\n", name,
               static_cast<unsigned long long>(seed_), static_cast<unsigned long long>(events),
               static_cast<unsigned long long>(agent), what.c_str());
}

}  // namespace repath::verify
