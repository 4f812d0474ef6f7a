#include "gateway/text_threads.h"

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <vector>

namespace repath {
namespace {

TEST(TextThreads, AddressesTakeTurnsAndEachKeepsItsOrder) {
  TextThreads threads(1);
  std::promise<void> begin;
  threads.post("ipv4:10.0.0.9:1", [wait = begin.get_future().share()] { wait.wait(); });
  std::vector<std::string> done;
  const auto post = [&](const std::string& peer, const std::string& name) {
    threads.post(peer, [&done, name] { done.push_back(name); });
  };
  // The ports of one address have one turn.
  for (int i = 0; i < 4; ++i) post("ipv4:10.0.0.1:" + std::to_string(i), "a" + std::to_string(i));
  post("ipv4:10.0.0.2:7", "b0");
  post("ipv6:%5B::1%5D:7", "c0");
  post("ipv4:10.0.0.2:8", "b1");
  begin.set_value();
  threads.join();
  EXPECT_EQ(done, (std::vector<std::string>{"a0", "b0", "c0", "a1", "b1", "a2", "a3"}));
}

}  // namespace
}  // namespace repath
