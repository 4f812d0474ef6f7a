// Whether a change reports correctly since when the ground that it opens had been shut, against the
// ground of every earlier revision. A proof at an older revision has counted it as open.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/route_kinds.h"
#include "support/seed.h"

namespace repath {
namespace {

constexpr double kNearly = 0.001;  // rounding moves ground by at most this

bool holds(const RouteBox& box, const Spot& at) {
  return box.min_x <= at.x && at.x <= box.max_x && box.min_z <= at.z && at.z <= box.max_z;
}

// A world as it was after each batch, and the changes reported for each batch.
class History {
 public:
  explicit History(std::uint64_t seed) : random_(seed), world_(kind_.make(&random_)) {
    view_ = *world_->acquire_view("default", TeamId{0});
    grounds_.push_back(world_->keep(view_));
    told_.emplace_back();
  }

  void go_on() {
    auto commit = world_->apply(kind_.batch(&random_));
    ASSERT_TRUE(commit.ok()) << commit.status();
    grounds_.push_back(world_->keep(view_));
    told_.push_back(commit->views.empty() ? std::vector<RouteChange>{}
                                          : std::move(commit->views[0].changes));
  }

  // Checks places that the latest batch opened.
  void expect_no_news_to_older_proofs() {
    for (const RouteChange& change : told_.back())
      for (int k = 0; change.fell && k < 20; ++k) {
        const Spot at{test::between(&random_, change.from.min_x, change.from.max_x),
                      random_.below(2) * 4.0,
                      test::between(&random_, change.from.min_z, change.from.max_z)};
        const std::size_t now = grounds_.size() - 1;
        if (!is_open(at, now) || is_open(at, now - 1)) continue;
        ++opened_;
        for (std::size_t proof = 0; proof < now; ++proof) {
          if (counts(at, now, proof)) continue;
          ++passed_over_;
          EXPECT_TRUE(was_counted(at, proof, now))
              << at.x << ", " << at.y << ", " << at.z << " at revision " << proof + 1;
        }
      }
  }

  int opened() const { return opened_; }
  int passed_over() const { return passed_over_; }

 private:
  // The i-th ground belongs to revision i + 1.
  static Revision revision_of(std::size_t i) { return Revision{i + 1}; }
  bool is_open(const Spot& at, std::size_t i) const {
    return grounds_[i]->stand(at, kNearly, kSameFloor).has_value();
  }
  // Returns whether batch i reports a fall at the place to holders of a proof of that time.
  bool counts(const Spot& at, std::size_t i, std::size_t proof) const {
    return std::ranges::any_of(told_[i], [&](const RouteChange& change) {
      return change.fell && change.shut_at <= revision_of(proof) && holds(change.from, at);
    });
  }
  bool was_counted(const Spot& at, std::size_t proof, std::size_t now) const {
    if (is_open(at, proof)) return true;
    for (std::size_t i = proof + 1; i < now; ++i)
      if (counts(at, i, proof)) return true;
    return false;
  }

  Random random_;
  test::NavKind kind_;
  std::unique_ptr<RouteWorld> world_;
  RouteViewId view_{};
  std::vector<std::shared_ptr<const RouteGround>> grounds_;
  std::vector<std::vector<RouteChange>> told_;
  int opened_ = 0;
  int passed_over_ = 0;
};

TEST(ShutTimes, NothingOpensThatAnOlderProofHasNotCounted) {
  int opened = 0;
  int passed_over = 0;
  for (std::uint64_t i = 0; i < 200 && !HasFailure(); ++i) {
    SCOPED_TRACE("REPATH_TEST_SEED=" + std::to_string(test::seed() + i));
    History history(test::seed() + i);
    for (int k = 0; k < 40 && !HasFailure(); ++k) {
      history.go_on();
      history.expect_no_news_to_older_proofs();
    }
    opened += history.opened();
    passed_over += history.passed_over();
  }
  EXPECT_GT(opened, 5000);
  EXPECT_GT(passed_over, 50'000);
}

}  // namespace
}  // namespace repath
