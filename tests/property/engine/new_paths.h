// The new paths that a dry run tells, against the answers to the same questions once the batch is
// made.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "engine/engine.h"
#include "engine/queries.h"

namespace repath::test {

inline PathAnswer ask(const AnySnapshot& world, const PathQuery& query) {
  return world.ask([&](const auto& view) { return find_path(view, query, {}); });
}

// REQUIRES: the batch that was tried is made, and the agents ask what they asked then. Returns the
// number of paths compared.
inline int expect_new_paths(Engine* engine, const TestAnswer& tried) {
  for (const TriedPath& told : tried.new_paths) {
    EXPECT_TRUE(std::ranges::binary_search(tried.affected_agents, told.agent));
    EXPECT_FALSE(std::ranges::binary_search(tried.cut_off_agents, told.agent));
    const AgentSpec spec = engine->agent(told.agent)->spec;
    const PathAnswer then = ask(told.after, told.query);
    const PathAnswer now = ask(*engine->capture(spec.profile, spec.team), told.query);
    EXPECT_EQ(then.state, now.state) << "agent " << value(told.agent);
    EXPECT_EQ(then.cost, now.cost) << "agent " << value(told.agent);
  }
  return static_cast<int>(tried.new_paths.size());
}

}  // namespace repath::test
