// The table "Which algorithm does what where" of the README, made from the server's own answers:
// every algorithm on a grid, a mesh and a graph, with every option that guides or shapes a search.
// With REPATH_WRITE_README=1 in the environment the test writes the table instead of comparing it.
#include <google/protobuf/descriptor.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "rpc/route_fixture.h"

namespace repath {
namespace {

using test::Context;
using test::fault_of;

constexpr std::string_view kBegin = "| algorithm | grid | mesh | graph |";

class AlgorithmTable : public test::RouteServer {
 protected:
  static constexpr std::array kKinds{"square", "house", "streets"};

  void SetUp() override {
    RouteServer::SetUp();
    import_square("square", true);
  }

  // The way round a wall, or across the graph. `goals`: how many, the first is the nearest.
  static v1::ExplainPathRequest across(const std::string& world, v1::Algorithm algorithm,
                                       int goals = 1) {
    v1::ExplainPathRequest asked;
    v1::FindPathRequest& request = *asked.mutable_request();
    request.set_world(world);
    request.mutable_options()->set_algorithm(algorithm);
    const bool is_graph = world == "streets";
    set_place(is_graph ? 0 : 0.5, 0, is_graph ? 0 : 0.5, request.mutable_from());
    if (world == "house") set_place(1, 0, 5, request.mutable_from());
    for (int i = 0; i < goals; ++i) {
      const double off = i;  // behind the first goal
      if (world == "square") set_place(9.5 - 2 * off, 0, 4.5 - off, request.add_goals());
      if (world == "house") set_place(18 - 2 * off, 0, 5 - off, request.add_goals());
      if (is_graph) set_place(10 - 10 * off, 0, 10, request.add_goals());
    }
    return asked;
  }
  grpc::Status explain(const v1::ExplainPathRequest& request, v1::ExplainPathResponse* response) {
    Context context;
    return debug_->ExplainPath(&context, request, response);
  }
  // Returns whether the server takes the option; a refusal must name it.
  using Set = std::function<void(v1::QueryOptions*)>;
  bool takes(const std::string& world, v1::Algorithm algorithm, const std::string& field,
             const Set& set) {
    v1::ExplainPathRequest request = across(world, algorithm);
    set(request.mutable_request()->mutable_options());
    v1::ExplainPathResponse response;
    const grpc::Status status = explain(request, &response);
    if (status.ok()) {
      EXPECT_EQ(response.result().path().status(), v1::PATH_STATUS_COMPLETE);
      return true;
    }
    EXPECT_EQ(fault_of(status).field, "request.options." + field) << status.error_message();
    return false;
  }

  // "exact: several goals, partial; weight, heuristic" and the like; "-" if it does not answer.
  std::string cell(const std::string& world, v1::Algorithm algorithm) {
    v1::ExplainPathResponse response;
    if (!explain(across(world, algorithm), &response).ok()) return "-";
    std::string text = claim_of(response.result().path());
    expect_goals(world, algorithm, response.result().path());
    std::string letters;
    if (takes(world, algorithm, "weight", [](auto* options) { options->set_weight(2); }))
      letters += 'w';
    if (takes(world, algorithm, "heuristic",
              [](auto* options) { options->set_heuristic(v1::HEURISTIC_EUCLID); }))
      letters += 'h';
    if (takes(world, algorithm, "turn_penalty",
              [](auto* options) { options->set_turn_penalty(1); }))
      letters += 't';
    if (takes(world, algorithm, "smoothing",
              [](auto* options) { options->set_smoothing(v1::SMOOTHING_STRAIGHT); }))
      letters += 's';
    if (takes(world, algorithm, "memory_limit_bytes",
              [](auto* options) { options->set_memory_limit_bytes(64 << 20); }))
      letters += 'm';
    if (response.expansions_size() > 0) letters += 'o';
    return letters.empty() ? text : text + " " + letters;
  }
  static std::string claim_of(const v1::Path& path) {
    if (path.optimality() == v1::OPTIMALITY_OPTIMAL) return "exact";
    return path.optimality() == v1::OPTIMALITY_BOUNDED ? "bounded" : "valid";
  }
  // With two goals no path is longer than to the first, and a goal that nothing leads to has a
  // partial path.
  void expect_goals(const std::string& world, v1::Algorithm algorithm, const v1::Path& one) {
    v1::ExplainPathResponse response;
    ASSERT_TRUE(explain(across(world, algorithm, 2), &response).ok());
    EXPECT_EQ(response.result().path().status(), v1::PATH_STATUS_COMPLETE);
    if (claim_of(one) == "exact") {
      EXPECT_LE(response.result().path().cost(), one.cost() + 1e-9);
    }
    v1::ExplainPathRequest request = across(world, algorithm);
    request.mutable_request()->set_allow_partial(true);
    ASSERT_TRUE(explain(request, &response).ok());
    EXPECT_EQ(response.result().path().status(), v1::PATH_STATUS_COMPLETE);
  }
  std::string table() {
    std::ostringstream text;
    text << kBegin << "\n|---|---|---|---|\n";
    const auto* algorithms = v1::Algorithm_descriptor();
    for (int i = 0; i < algorithms->value_count(); ++i) {
      const auto algorithm = static_cast<v1::Algorithm>(algorithms->value(i)->number());
      const std::string name(algorithms->value(i)->name());
      text << "| `" << name.substr(std::string_view("ALGORITHM_").size()) << "` |";
      for (const char* world : kKinds) text << ' ' << cell(world, algorithm) << " |";
      text << '\n';
    }
    return text.str();
  }
};

std::string read_text(const std::string& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST_F(AlgorithmTable, OfTheReadmeIsWhatTheServerAnswers) {
  const std::string file = REPATH_SOURCE_DIR "/README.md";
  std::string readme = read_text(file);
  const std::string made = table();
  const std::size_t begin = readme.find(kBegin);
  ASSERT_NE(begin, std::string::npos) << "README.md has no line " << kBegin;
  std::size_t end = begin;
  while (end < readme.size() && readme[end] == '|') end = readme.find('\n', end) + 1;
  if (std::getenv("REPATH_WRITE_README") != nullptr) {
    std::ofstream(file) << readme.replace(begin, end - begin, made);
    return;
  }
  EXPECT_EQ(readme.substr(begin, end - begin), made)
      << "run this test with REPATH_WRITE_README=1 to write the table";
}

}  // namespace
}  // namespace repath
