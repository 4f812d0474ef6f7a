// A failed check, or another exception, inside one world: caught, described and logged.
//
// Thread rule: pure functions except for the log; any thread.
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
  // The calls that led to the check, innermost first, one in each line. Empty for another
  // exception.
  std::vector<std::string> calls;
};

// Runs `work`; failed checks in it throw instead of ending the process. Returns what it threw; null
// if it threw nothing.
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

// Describes an exception. Resolves the names of functions, which takes milliseconds.
Failure describe(const std::exception_ptr& thrown);

// Writes one critical line with the world, the reason and the world's current work, then one line
// for each call. `outcome` names the effect on the world.
void log_failure(std::string_view world, std::string_view during, std::string_view outcome,
                 const Failure& failure);

}  // namespace repath
