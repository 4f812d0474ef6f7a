#include "load/report.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "load/check.h"
#include "load/plots.h"
#include "load/process.h"
#include "verify/graph_model.h"

namespace repath::load {
namespace {

cli::Json record() {
  return cli::Json::parse(R"({
    "scenario": "rts", "what": "Units <walk>", "kind": "grid", "map": "made", "width": 8, "height": 8,
    "worlds": 1, "agents": 5, "events": 3, "duration_s": 2.0, "frames": 100, "frames_over_budget": 1,
    "frame_budget_ms": 8.0, "errors": 0, "cores": 2, "verdicts": 4, "positions": 9,
    "replanned_ms": {"p50": 1.5, "p90": 2.0, "p99": 3.0, "p999": 4.0, "max": 4.0, "count": 3},
    "objectives": [{"objective": "errors==0", "value": 0, "met": true}], "objectives_met": true,
    "warnings": ["others ran"],
    "histograms": {"replanned_ms": [[1.0, 2.0, 2], [3.0, 4.0, 1]]},
    "series": {"at_s": [-1, 0, 1, 2], "replanned_p99_ms": [null, 1.0, 3.0, 2.0], "waiting": [0, 1, 2, 0],
               "frame_p99_ms": [1, 1, 2, 1], "server_cpu_cores": [0.1, 0.2, 0.3, 0.2],
               "oldest_unsettled_ms": [0, 1, 2, 0]}})");
}

std::ptrdiff_t count_of(const std::string& text, const std::string& part) {
  std::ptrdiff_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(Report, IsOnePageWithItsPlots) {
  const std::string html = html_of(record());
  EXPECT_EQ(count_of(html, "<svg"), 6);
  EXPECT_EQ(count_of(html, "</svg>"), 6);
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("http"), std::string::npos);
  EXPECT_NE(html.find("All objectives met"), std::string::npos);
  EXPECT_NE(html.find("others ran"), std::string::npos);
  EXPECT_NE(html.find("3 ms"), std::string::npos);
}

TEST(Report, WhatWasAskedForIsNoMarkup) {
  EXPECT_EQ(html_of(record()).find("<walk>"), std::string::npos);
}

TEST(Report, AMissedObjectiveIsSaidFirst) {
  cli::Json missed = record();
  missed["objectives_met"] = false;
  missed["objectives"][0]["met"] = false;
  EXPECT_NE(html_of(missed).find("Objectives missed"), std::string::npos);
  EXPECT_NE(text_of(missed).find("MISSED"), std::string::npos);
}

TEST(Report, ThePlotIsAFileOfItsOwn) {
  const std::string svg = plot_of(record());
  EXPECT_EQ(svg.rfind("<svg xmlns=", 0), 0u);
  EXPECT_NE(svg.find("new path, p99"), std::string::npos);
  EXPECT_EQ(svg.find("<p "), std::string::npos);
  EXPECT_EQ(svg.find("query, p99"), std::string::npos);  // no query was asked
}

TEST(Report, CsvHasALineForEachSecond) {
  const std::string csv = csv_of(record());
  EXPECT_EQ(count_of(csv, "\n"), 5);
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "at_s,replanned_p99_ms,waiting,frame_p99_ms,server_cpu_cores,oldest_unsettled_ms");
  EXPECT_NE(csv.find("\n-1,,0,1,0.1,0\n"), std::string::npos);
}

TEST(Plots, WithoutValuesThereIsNone) {
  EXPECT_EQ(time_plot("ms", {0, 1}, {{"a", {std::nullopt, std::nullopt}}}, std::nullopt), "");
  EXPECT_EQ(bar_plot("ms", {}, {}), "");
}

TEST(Plots, ATowerIsCutOffAndSaysSo) {
  std::vector<double> x;
  Series series{"a", {}};
  for (int i = 0; i < 100; ++i) {
    x.push_back(i);
    series.values.emplace_back(i == 50 ? 1000.0 : 1.0);
  }
  EXPECT_NE(time_plot("ms", x, {series}, std::nullopt).find("cut off; the highest is 1,000"),
            std::string::npos);
}

TEST(Plots, FiguresAreThree) {
  EXPECT_EQ(figures(0.4217), "0.422");
  EXPECT_EQ(figures(16.24), "16.2");
  EXPECT_EQ(figures(1234567), "1,234,567");
  EXPECT_EQ(figures(999.9), "1,000");
}

TEST(Process, KnowsItself) {
  const auto own = use_of(static_cast<int>(getpid()));
  ASSERT_TRUE(own.has_value());
  EXPECT_GT(own->rss_mb, 1);
  EXPECT_FALSE(use_of(-1).has_value());
  EXPECT_FALSE(pid_listening_at("127.0.0.1:1").has_value());
  EXPECT_FALSE(pid_listening_at("nonsense").has_value());
}

// Three cells in a row; the middle one is blocked at revision 2 and free again at 3.
class Checking : public ::testing::Test {
 protected:
  Checked check(const GridSample& one) {
    verify::Batch shut;
    shut.upserts.push_back({.id = 1, .shape = verify::Rect{1, 0, 2, 1}});
    verify::Batch open;
    open.removals.push_back(1);
    verify::Dice dice(1);
    return check_grid("...\n", {{".", '.', 1, false}}, {{2, shut}, {3, open}}, {one},
                      now() + kSecond * 60, dice);
  }
  GridSample sample{7, 3, v1::EVENT_TYPE_REPLANNED, {0, 0}, {2, 0}, 2, {0, 0, 2, 0}};
};

TEST_F(Checking, ARightPathIsRight) {
  const Checked checked = check(sample);
  EXPECT_EQ(checked.verified, 1u);
  EXPECT_EQ(checked.wrong, 0u);
}

TEST_F(Checking, AWrongOneIsFound) {
  sample.cost = 3;
  EXPECT_EQ(check(sample).wrong, 1u);
  sample.cost = 2;
  sample.revision = 2;
  EXPECT_EQ(check(sample).wrong, 1u);
  sample.revision = 3;
  sample.goal = {1, 0};
  EXPECT_EQ(check(sample).wrong, 1u);
  sample.goal = {2, 0};
  sample.type = v1::EVENT_TYPE_UNREACHABLE;
  EXPECT_EQ(check(sample).wrong, 1u);
  sample.revision = 2;
  EXPECT_EQ(check(sample).wrong, 0u);
}

// A triangle of streets; the straight one is closed at revision 2.
TEST(CheckingRoutes, ADearerWayIsFoundAndAShutOneToo) {
  const std::string streets =
      R"({"nodes": [{"id": 1, "position": [0, 0, 0]}, {"id": 2, "position": [3, 0, 0]},
                    {"id": 3, "position": [3, 0, 4]}],
          "edges": [{"from": 1, "to": 2}, {"from": 2, "to": 3}, {"from": 1, "to": 3}]})";
  v1::ChangeBatch shut;
  shut.add_graph_edits()->mutable_switch_edge()->set_from(1);
  shut.mutable_graph_edits(0)->mutable_switch_edge()->set_to(3);
  const auto wrong = [&](std::uint64_t revision, double cost, const std::vector<int>& nodes) {
    verify::GraphModel model(streets);
    RouteSample sample;
    sample.event.set_type(v1::EVENT_TYPE_REPLANNED);
    sample.event.set_revision(revision);
    sample.event.mutable_path()->set_cost(cost);
    sample.event.mutable_path()->set_optimality(v1::OPTIMALITY_OPTIMAL);
    for (const int node : nodes) {
      sample.event.mutable_path()->add_nodes(static_cast<std::uint64_t>(node));
      for (const double value : {node == 1 ? 0.0 : 3.0, 0.0, node == 3 ? 4.0 : 0.0})
        sample.event.mutable_path()->add_positions(value);
    }
    verify::Dice dice(1);
    const Checked checked = check_routes(model, {{2, shut}}, {sample}, now() + kSecond * 60, dice);
    EXPECT_EQ(checked.verified, 1u);
    return checked.wrong;
  };
  EXPECT_EQ(wrong(1, 5, {1, 3}), 0u);
  EXPECT_EQ(wrong(1, 7, {1, 2, 3}), 1u);
  EXPECT_EQ(wrong(2, 7, {1, 2, 3}), 0u);
  EXPECT_EQ(wrong(2, 5, {1, 3}), 1u);
}

TEST_F(Checking, WhatLiesBehindTheHistoryIsNotReached) {
  sample.revision = 4;
  EXPECT_EQ(check(sample).not_reached, 1u);
  EXPECT_EQ(check(sample).verified, 0u);
}

}  // namespace
}  // namespace repath::load
