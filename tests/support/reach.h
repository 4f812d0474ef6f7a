// Tables of what places lead to, and one question to them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <vector>

#include "base/work_meter.h"
#include "routes/route_ground.h"

namespace repath::test {

// Returns the ground's table, whatever work that takes.
inline std::unique_ptr<ReachTable> reach_table(const RouteGround& ground) {
  WorkMeter meter(kNoWorkLimits);
  return ground.reach_table(&meter);
}

// Returns whether a way leads from one place to the other.
inline bool leads(ReachTable* table, const RoutePlace& from, const RoutePlace& to) {
  WorkMeter meter(kNoWorkLimits);
  const ReachQuestion question{from, 0};
  const std::span<const RoutePlace> goals(&to, 1);
  std::vector<bool> answers;
  EXPECT_TRUE(table->answer({&question, 1}, {&goals, 1}, &meter, &answers));
  return answers.at(0);
}

}  // namespace repath::test
