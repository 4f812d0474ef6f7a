#include "runtime/view_feed.h"

#include <gtest/gtest.h>

#include <random>

#include "support/seed.h"

namespace repath {
namespace {

AgentGlance at(std::uint64_t id, std::uint32_t node, Outlook outlook = Outlook::kPath) {
  return {AgentId{id}, NodeId{node}, {}, outlook, false};
}

// A viewer that keeps its own picture from what it is sent, as a page does.
class Page final : public ViewSink {
 public:
  void on_view(std::shared_ptr<const ViewFrame> frame, std::uint64_t before) override {
    const bool is_whole = before == 0 || before + 1 != frame->number;
    if (is_whole) {
      agents.clear();
      for (const AgentGlance& agent : frame->agents) agents[agent.id] = agent;
    } else {
      for (const std::uint32_t i : frame->changed) agents[frame->agents[i].id] = frame->agents[i];
      for (const AgentId id : frame->removed) agents.erase(id);
    }
    wholes += is_whole;
    ++pictures;
    listed = is_whole ? frame->agents.size() : frame->changed.size();
  }
  void on_end(absl::Status status) override { end = status; }

  std::map<AgentId, AgentGlance> agents;
  int pictures = 0;
  int wholes = 0;
  std::size_t listed = 0;
  absl::Status end;
};

class Views : public testing::Test {
 protected:
  std::shared_ptr<Page> open(std::uint64_t id) {
    auto page = std::make_shared<Page>();
    EXPECT_TRUE(feed_.open(StreamId{id}, page).ok());
    return page;
  }
  void send(std::vector<AgentGlance> agents, std::uint64_t revision = 1) {
    feed_.send([&] {
      ++looks_;
      auto frame = std::make_shared<ViewFrame>();
      frame->agents = std::move(agents);
      frame->revision = Revision{revision};
      return frame;
    });
  }

  ViewFeed feed_{3};
  int looks_ = 0;
};

TEST_F(Views, TheFirstPictureIsWholeAndTheNextHasWhatChanged) {
  const auto page = open(1);
  send({at(1, 5), at(2, 6), at(7, 8)});
  EXPECT_EQ(page->wholes, 1);
  feed_.ready(StreamId{1});
  send({at(1, 5), at(2, 7), at(9, 1)});
  EXPECT_EQ(page->wholes, 1);
  EXPECT_EQ(page->listed, 2u);
  EXPECT_EQ(page->agents.size(), 3u);
  EXPECT_FALSE(page->agents.contains(AgentId{7}));
}

TEST_F(Views, AViewerThatIsSlowGetsTheNewestPictureWhole) {
  const auto slow = open(1);
  const auto quick = open(2);
  for (std::uint32_t node = 1; node <= 5; ++node) {
    send({at(1, node)});
    feed_.ready(StreamId{2});
  }
  EXPECT_EQ(slow->pictures, 1);
  EXPECT_EQ(quick->pictures, 5);
  EXPECT_EQ(quick->wholes, 1);
  feed_.ready(StreamId{1});
  send({at(1, 6)});
  EXPECT_EQ(slow->pictures, 2);
  EXPECT_EQ(slow->wholes, 2);
  EXPECT_EQ(slow->agents, quick->agents);
}

TEST_F(Views, APictureWithoutNewsIsSentOnceASecond) {
  const auto page = open(1);
  for (int i = 0; i < 25; ++i) {
    send({at(1, 5)});
    feed_.ready(StreamId{1});
  }
  EXPECT_EQ(page->pictures, 3);
  EXPECT_EQ(page->wholes, 1);
  send({at(1, 5)}, 2);  // another revision is news
  EXPECT_EQ(page->pictures, 4);
}

TEST_F(Views, NothingIsLookedAtUnlessAViewerIsReady) {
  send({at(1, 1)});
  EXPECT_EQ(looks_, 0);
  open(1);
  send({at(1, 1)});
  send({at(1, 2)});
  EXPECT_EQ(looks_, 1);
  open(2);
  open(3);
  send({at(1, 3)});
  EXPECT_EQ(looks_, 2);  // one for both
}

TEST_F(Views, ViewersHaveALimitAndAnEnd) {
  const auto first = open(1);
  open(2);
  open(3);
  EXPECT_EQ(feed_.open(StreamId{4}, std::make_shared<Page>()).code(),
            absl::StatusCode::kResourceExhausted);
  feed_.close(StreamId{2});
  const auto fourth = open(4);
  feed_.end_all(absl::UnavailableError("the end"));
  EXPECT_EQ(first->end.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(fourth->end.code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(feed_.empty());
}

// Viewers of any speed over worlds that change at random: whoever has just been sent a picture sees
// the world as it is.
TEST_F(Views, WhoeverWasSentAPictureSeesTheWorld) {
  std::mt19937_64 random(test::seed());
  for (int game = 0; game < 50; ++game) {
    ViewFeed feed(8);
    std::vector<std::shared_ptr<Page>> pages(4);
    std::map<AgentId, AgentGlance> world;
    for (int period = 0; period < 60; ++period) {
      for (int change = static_cast<int>(random() % 4); change > 0; --change) {
        const AgentId id{random() % 12};
        if (random() % 3 == 0) {
          world.erase(id);
        } else {
          world[id] = at(static_cast<std::uint64_t>(id), static_cast<std::uint32_t>(random() % 4));
        }
      }
      for (std::uint64_t i = 0; i < pages.size(); ++i) {
        if (pages[i] == nullptr) {
          pages[i] = std::make_shared<Page>();
          ASSERT_TRUE(feed.open(StreamId{i}, pages[i]).ok());
        } else if (random() % 2 == 0) {
          feed.ready(StreamId{i});
        } else if (random() % 20 == 0) {
          feed.close(StreamId{i});
          pages[i] = nullptr;
        }
      }
      std::vector<int> before(pages.size(), 0);
      for (std::size_t i = 0; i < pages.size(); ++i)
        if (pages[i] != nullptr) before[i] = pages[i]->pictures;
      feed.send([&] {
        auto frame = std::make_shared<ViewFrame>();
        for (const auto& [id, agent] : world) frame->agents.push_back(agent);
        return frame;
      });
      for (std::size_t i = 0; i < pages.size(); ++i) {
        if (pages[i] == nullptr || pages[i]->pictures == before[i]) continue;
        ASSERT_EQ(pages[i]->agents, world) << "game " << game << " period " << period;
      }
    }
  }
}

}  // namespace
}  // namespace repath
