#include "reroute/delta_log.h"

#include <gtest/gtest.h>

namespace repath {
namespace {

RouteCommit commit_of(std::uint64_t revision, RouteViewId view, std::size_t changes) {
  RouteCommit commit;
  commit.revision = Revision{revision};
  commit.views.push_back({view, std::vector<RouteChange>(changes)});
  return commit;
}

TEST(RouteDeltaLog, GivesWhatCameAfterARevision) {
  RouteDeltaLog log;
  const RouteViewId view{3};
  log.open(view, Revision{4});
  for (std::uint64_t r = 5; r <= 8; ++r) log.append(commit_of(r, view, 1), 0, 0);
  EXPECT_TRUE(log.covers(view, Revision{4}));
  EXPECT_FALSE(log.covers(view, Revision{3})) << "it was not in use then";
  std::vector<Revision> seen;
  log.for_each_after(view, Revision{6},
                     [&](const LoggedRouteDelta& delta) { seen.push_back(delta.revision); });
  EXPECT_EQ(seen, (std::vector<Revision>{Revision{7}, Revision{8}}));
}

TEST(RouteDeltaLog, ForgetsTheOldestAndSaysSo) {
  RouteDeltaLog log;
  const RouteViewId view{0};
  log.open(view, Revision{1});
  for (std::uint64_t r = 2; r <= 10; ++r)
    log.append(commit_of(r, view, RouteDeltaLog::kChangesMax / 4), 0, 0);
  EXPECT_FALSE(log.covers(view, Revision{5}));
  EXPECT_TRUE(log.covers(view, Revision{6}));
}

TEST(RouteDeltaLog, PassesOverViewsThatNobodyUses) {
  RouteDeltaLog log;
  log.open(RouteViewId{1}, Revision{1});
  log.append(commit_of(2, RouteViewId{2}, 1), 0, 0);
  EXPECT_EQ(log.views(), (std::vector<RouteViewId>{RouteViewId{1}}));
  EXPECT_EQ(log.bytes(), 0u);
}

}  // namespace
}  // namespace repath
