#include "runtime/metrics.h"

#include <gtest/gtest.h>

#include <string>

namespace repath {
namespace {

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(Metrics, CountsCallsByMethodAndCode) {
  Metrics metrics;
  metrics.count_call("/a.B/C", "OK", 400);
  metrics.count_call("/a.B/C", "OK", 600'000);
  metrics.count_call("/a.B/C", "NOT_FOUND", 20);
  const std::string text = metrics.text({}, 0);
  EXPECT_TRUE(has_line(text, "repath_rpc_total{code=\"OK\",method=\"/a.B/C\"} 2")) << text;
  EXPECT_TRUE(has_line(text, "repath_rpc_total{code=\"NOT_FOUND\",method=\"/a.B/C\"} 1"));
  EXPECT_TRUE(has_line(text, "repath_rpc_seconds_count{method=\"/a.B/C\"} 3"));
  EXPECT_TRUE(has_line(text, "repath_rpc_seconds_bucket{method=\"/a.B/C\",le=\"0.0005\"} 2"));
}

TEST(Metrics, CountsVerdictsByTypeInSeconds) {
  Metrics metrics;
  metrics.count_verdict(EventType::kReplanned, 20'000);
  metrics.count_frame(3000);
  const std::string text = metrics.text({}, 0);
  EXPECT_TRUE(has_line(text, "repath_verdict_seconds_count{type=\"REPLANNED\"} 1"));
  EXPECT_TRUE(has_line(text, "repath_verdict_seconds_bucket{type=\"REPLANNED\",le=\"0.0167\"} 0"));
  EXPECT_TRUE(has_line(text, "repath_verdict_seconds_bucket{type=\"REPLANNED\",le=\"0.033\"} 1"));
  EXPECT_TRUE(has_line(text, "repath_verdict_seconds_count{type=\"IMPROVED\"} 0"));
  EXPECT_TRUE(has_line(text, "repath_frame_seconds_sum 0.003"));
}

TEST(Metrics, AWorldThatEndsTakesItsAgentsAlongAndLeavesItsCounts) {
  WorldFigures world;
  world.engine.agents = 5;
  world.engine.work_units = 100;
  world.engine.strategies[0].searches = 3;
  world.oldest_wait_seconds = 0.5;
  world.memory_bytes = 10;
  world.coalesced = 2;
  WorldFigures sum = world;
  sum += world;
  Metrics metrics;
  std::string text = metrics.text(sum, 2);
  EXPECT_TRUE(has_line(text, "repath_agents 10"));
  EXPECT_TRUE(has_line(text, "repath_work_units_total{phase=\"plan\"} 200"));
  EXPECT_TRUE(has_line(text, "repath_oldest_wait_seconds 0.5"));
  EXPECT_TRUE(has_line(text, "repath_worlds 2"));
  world.end();
  text = metrics.text(world, 0);
  EXPECT_TRUE(has_line(text, "repath_agents 0"));
  EXPECT_TRUE(has_line(text, "repath_worlds_memory_bytes 0"));
  EXPECT_TRUE(has_line(text, "repath_searches_total{strategy=\"astar\"} 3"));
  EXPECT_TRUE(has_line(text, "repath_updates_coalesced_total 2"));
}

TEST(Metrics, OfADataFolderSayWhatIsOnTheDiskAndWhatWaits) {
  Metrics::StoreState store;
  store.figures.units = 7;
  store.figures.commits = 2;
  store.figures.commit_seconds = 0.25;
  store.figures.pending_units = 3;
  const Metrics metrics;
  std::string text = metrics.text({}, 1, store);
  EXPECT_TRUE(has_line(text, "repath_store_units_total 7")) << text;
  EXPECT_TRUE(has_line(text, "repath_store_commits_total 2"));
  EXPECT_TRUE(has_line(text, "repath_store_commit_seconds_total 0.25"));
  EXPECT_TRUE(has_line(text, "repath_store_pending_units 3"));
  EXPECT_TRUE(has_line(text, "repath_store_up 1"));
  store.takes_changes = false;
  text = metrics.text({}, 1, store);
  EXPECT_TRUE(has_line(text, "repath_store_up 0"));
  EXPECT_EQ(metrics.text({}, 1).find("repath_store_"), std::string::npos);
}

}  // namespace
}  // namespace repath
