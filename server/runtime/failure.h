// A check that failed, or another exception, inside one world: caught, put into words, logged.
//
// Thread rule: pure functions but for the log; any thread.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"

namespace repath {

struct Failure {
  std::string reason;  // "server/world/world.cc:170: REPATH_CHECK(uses > 0) failed"
  // The calls that led there, innermost first, one a line. Empty if it was no check.
  std::vector<std::string> calls;
};

// Runs `work`, whose failed checks throw instead of ending the process. Returns what it threw; null
// if nothing.
template <class Work>
std::exception_ptr run_guarded(Work&& work) {
  try {
    const CheckScope scope;
    std::forward<Work>(work)();
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

// Puts an exception into words. Resolves the names of functions, which takes milliseconds.
Failure describe(const std::exception_ptr& thrown);

// Writes one critical line with the world, the reason and what the world was doing, then one line
// for each call. `outcome` says what became of the world.
void log_failure(std::string_view world, std::string_view during, std::string_view outcome,
                 const Failure& failure);

}  // namespace repath
