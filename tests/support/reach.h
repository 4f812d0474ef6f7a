// One question to a table of what places lead to.
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "base/work_meter.h"
#include "routes/route_ground.h"

namespace repath::test {

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
