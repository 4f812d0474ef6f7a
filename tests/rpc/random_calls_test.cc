// Random sequences of all calls on worlds of every kind. REPATH_RANDOM_CALLS sets the number of
// calls for each seed (default 20,000), REPATH_TEST_SEED the seed.
#include <cstdlib>
#include <iostream>
#include <set>
#include <string>

#include "rpc/random/settled_check.h"
#include "support/seed.h"

namespace repath {
namespace {

std::uint64_t calls_wanted() {
  const char* given = std::getenv("REPATH_RANDOM_CALLS");  // NOLINT(concurrency-mt-unsafe)
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 20'000;
}

// Every unary method of the services, so that a new one cannot be forgotten.
std::set<std::string> unary_methods() {
  std::set<std::string> methods;
  for (const auto* file :
       {v1::Agent::descriptor()->file(), v1::CreateWorldRequest::descriptor()->file(),
        v1::FindPathRequest::descriptor()->file(), v1::GetStatsRequest::descriptor()->file()}) {
    for (int s = 0; s < file->service_count(); ++s) {
      for (int m = 0; m < file->service(s)->method_count(); ++m) {
        const auto* method = file->service(s)->method(m);
        if (method->client_streaming() || method->server_streaming()) continue;
        methods.insert(file->service(s)->name() + "." + method->name());
      }
    }
  }
  return methods;
}

class RandomCalls : public test::Server {};

TEST_F(RandomCalls, LeaveEveryWorldAliveAndConsistent) {
  SCOPED_TRACE(test::seed_trace());
  test::Play play(test::seed(), channel_);
  const std::uint64_t wanted = calls_wanted();
  while (play.steps() < wanted && !HasFailure()) play.step();
  play.calls().drain();
  v1::ListWorldsRequest all;
  all.set_page_size(1000);
  const auto worlds = play.calls().ask<v1::ListWorldsResponse>("WorldService.ListWorlds", all);
  ASSERT_TRUE(worlds);
  EXPECT_EQ(worlds->worlds_size(), static_cast<int>(play.worlds().size()))
      << "worlds that nobody made, or that were deleted";
  std::uint64_t agents = 0;
  for (const auto& world : play.worlds()) {
    test::SettledCheck check(play, *world);
    check.run();
    agents += check.agents_checked();
  }
  EXPECT_GT(agents, 20u) << "too few agents are left to say anything";
  std::set<std::string> missed = unary_methods();
  missed.erase("WorldService.CreateWorld");  // these worlds are imported
  for (const std::string& method : play.calls().answered()) missed.erase(method);
  EXPECT_EQ(missed, std::set<std::string>{}) << "never answered with OK";
  if (std::getenv("REPATH_RANDOM_TALLY") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
    for (const auto& [what, times] : play.calls().tally())
      std::cout << times << ' ' << what << '\n';
  }
}

}  // namespace
}  // namespace repath
