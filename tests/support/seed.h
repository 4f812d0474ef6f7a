// Returns the seed of a run of random tests: REPATH_TEST_SEED if set, otherwise a fixed number, so
// that a failure can be run again. Tests show it with SCOPED_TRACE(test::seed_trace()).
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace repath::test {

inline std::uint64_t seed() {
  const char* given = std::getenv("REPATH_TEST_SEED");  // NOLINT(concurrency-mt-unsafe)
  return given != nullptr ? std::strtoull(given, nullptr, 0) : 20261120u;
}

inline std::string seed_trace() { return "REPATH_TEST_SEED=" + std::to_string(seed()); }

}  // namespace repath::test
