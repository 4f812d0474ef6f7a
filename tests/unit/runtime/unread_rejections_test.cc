// After a rejection that its client may not have read, a resumed session names the messages before
// it alone as applied.
#include <gtest/gtest.h>

#include <cstdint>

#include "unit/runtime/hub_bed.h"

namespace repath {
namespace {

using test::kFirst;
using test::kSecond;
using test::kThird;
using test::walker;

class UnreadRejections : public testing::Test {
 protected:
  // Opens the session again. Returns the last message that `Opened` names as applied.
  std::uint64_t applied_when_opened(StreamId id, std::uint64_t sequence) {
    sink_ = bed_.open(id, "s", 16, sequence);
    return sink_->seen().opened->applied_sequence;
  }
  void reject(StreamId id, std::uint64_t sequence) {
    const std::size_t before = sink_->seen().rejected.size();
    AgentSpec agent = walker(9);
    agent.profile = "unheard_of";
    bed_.upsert(id, sequence, agent);
    EXPECT_EQ(sink_->seen().rejected.size(), before + 1);
  }

  InlineExecutor executor_;
  test::HubBed bed_{test::HubBed::square(executor_)};
  std::shared_ptr<test::RecordingSink> sink_;
};

TEST_F(UnreadRejections, AreNotToldAsAppliedNorAreLaterMessages) {
  applied_when_opened(kFirst, 1);
  bed_.upsert(kFirst, 3, walker(1));
  reject(kFirst, 7);
  bed_.upsert(kFirst, 8, walker(2));
  reject(kFirst, 9);
  bed_.frame();
  EXPECT_EQ(sink_->seen().batches.back().applied_sequence, 9u)
      << "a reader of this batch has read the rejections";
  EXPECT_EQ(applied_when_opened(kSecond, 20), 3u);
}

TEST_F(UnreadRejections, AreReadOnceALaterBatchIsAcknowledged) {
  applied_when_opened(kFirst, 1);
  bed_.upsert(kFirst, 2, walker(1));
  reject(kFirst, 3);
  bed_.frame();
  bed_.acknowledge(kFirst, 4, *sink_);
  EXPECT_EQ(applied_when_opened(kSecond, 20), 4u);
}

TEST_F(UnreadRejections, AreNotReadByAnAcknowledgementOfAnEarlierBatch) {
  applied_when_opened(kFirst, 1);
  bed_.upsert(kFirst, 2, walker(1));
  bed_.frame();
  const std::uint64_t earlier = sink_->seen().batches.back().number;
  reject(kFirst, 3);
  bed_.frame();
  reject(kFirst, 4);
  bed_.send(kFirst, 5, SessionMessage::Acknowledge{earlier + 1});  // before the second rejection
  EXPECT_EQ(applied_when_opened(kSecond, 20), 2u);
}

TEST_F(UnreadRejections, StaySoOverAStreamOfWhichTheClientMayNotHaveHeard) {
  applied_when_opened(kFirst, 1);
  bed_.upsert(kFirst, 2, walker(1));
  reject(kFirst, 3);
  EXPECT_EQ(applied_when_opened(kSecond, 20), 2u);
  bed_.upsert(kSecond, 21, walker(2));
  EXPECT_EQ(applied_when_opened(kThird, 30), 2u);
  bed_.upsert(kThird, 31, walker(2));
  bed_.frame();
  bed_.acknowledge(kThird, 32, *sink_);
  EXPECT_EQ(applied_when_opened(kFirst, 40), 32u);
}

}  // namespace
}  // namespace repath
