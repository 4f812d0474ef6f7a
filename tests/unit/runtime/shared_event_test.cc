#include "runtime/shared_event.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

namespace repath {
namespace {

AgentEvent verdict(std::uint64_t agent) {
  AgentEvent event;
  event.agent = AgentId{agent};
  return event;
}

TEST(SharedEvent, ItsBytesAreWrittenOnceHoweverManyThreadsAsk) {
  constexpr int kThreads = 8;
  for (std::uint64_t round = 0; round < 200; ++round) {
    const EventPtr event = share(verdict(round));
    std::atomic<int> written = 0;
    std::atomic<int> ready = 0;
    const SharedEvent::Bytes* seen[kThreads] = {};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        ++ready;
        while (ready.load() < kThreads) std::this_thread::yield();
        seen[i] = &event->bytes([&](const AgentEvent& e) {
          ++written;
          return SharedEvent::Bytes{static_cast<std::uint8_t>(value(e.agent))};
        });
        EXPECT_EQ(seen[i]->at(0), round);
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(written, 1);
    EXPECT_EQ(std::set<const void*>(std::begin(seen), std::end(seen)).size(), 1u);
  }
}

TEST(SharedEvent, ItsSizeIsEstimatedUntilItsBytesAreThere) {
  const EventPtr event = share(verdict(1));
  EXPECT_EQ(event->size(), estimated_bytes(*event));
  (void)event->bytes([](const AgentEvent&) { return SharedEvent::Bytes(5); });
  EXPECT_EQ(event->size(), 5u);
}

}  // namespace
}  // namespace repath
