#include "runtime/imports.h"

#include <gtest/gtest.h>

#include <memory>

#include "base/error.h"

namespace repath {
namespace {

class Ended final : public UnboundStream {
 public:
  void on_drain(absl::Status status) override { status_ = std::move(status); }
  absl::Status status_;
};

class WaitingCaller final : public StopToken {
 public:
  bool stop_requested() const override { return is_gone_; }
  bool is_gone_ = false;
};

TEST(ImportLedger, AllImportsTogetherHoldNoMoreThanTheLimit) {
  ImportLedger ledger(100);
  EXPECT_TRUE(ledger.hold(60).ok());
  const absl::Status refused = ledger.hold(41);
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(error_reason(refused), "IMPORTS_MEMORY");
  EXPECT_EQ(ledger.bytes(), 60u);
  EXPECT_FALSE(ledger.hold(~std::uint64_t{0}).ok());
  ledger.release(60);
  EXPECT_TRUE(ledger.hold(100).ok());
}

TEST(ImportLedger, StreamsThatBeginAfterTheEndAreEndedToo) {
  ImportLedger ledger(100);
  const auto before = std::make_shared<Ended>();
  const auto after = std::make_shared<Ended>();
  ledger.add(before);
  ledger.end(absl::UnavailableError("draining"));
  ledger.add(after);
  EXPECT_FALSE(before->status_.ok());
  EXPECT_FALSE(after->status_.ok());
}

TEST(MakingStop, AWorldIsMadeAsLongAsOneCallerWaits) {
  std::atomic<bool> draining{false};
  MakingStop stop(draining);
  const auto first = std::make_shared<WaitingCaller>();
  const auto second = std::make_shared<WaitingCaller>();
  stop.add(first);
  stop.add(second);
  first->is_gone_ = true;
  EXPECT_FALSE(stop.stop_requested());
  second->is_gone_ = true;
  EXPECT_TRUE(stop.stop_requested());
  stop.add(nullptr);
  EXPECT_FALSE(stop.stop_requested()) << "this one never goes";
  draining = true;
  EXPECT_TRUE(stop.stop_requested());
}

}  // namespace
}  // namespace repath
