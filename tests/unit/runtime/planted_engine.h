// An engine that works like another one, except for a fault that a test plants in it.
//
// Any thread may plant the fault; it strikes each time the runtime calls that function.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "engine/engine.h"

namespace repath::test {

enum class Plant {
  kNone,
  kApply,        // a check in a command
  kNoMemory,     // std::bad_alloc in a command
  kPlan,         // a check in a frame
  kHelper,       // a check in a frame, on another thread than the world's
  kCapture,      // a check in the part of a query that runs on the strand
  kExpiry,       // a check in a timer: a session has expired
  kEndlessPlan,  // no fault: every plan uses its budget in two milliseconds and does not end
};

class PlantedEngine : public Engine {
 public:
  PlantedEngine(std::unique_ptr<Engine> real, Executor& executor)
      : real_(std::move(real)), executor_(executor) {}

  void plant(Plant fault) { fault_.store(fault); }
  std::uint64_t plans() const { return plans_.load(); }

  absl::StatusOr<ChangeAnswer> apply(const ApplyChanges& command, Micros now) override {
    REPATH_CHECK(fault_ != Plant::kApply && "planted in apply");
    if (fault_ == Plant::kNoMemory) throw std::bad_alloc();
    return real_->apply(command, now);
  }
  absl::StatusOr<std::optional<ChangeAnswer>> find_answer(const ApplyChanges& command,
                                                          Micros now) override {
    return real_->find_answer(command, now);
  }
  absl::StatusOr<TestAnswer> test(const TestChanges& command) override {
    return real_->test(command);
  }
  absl::Status upsert_agents(std::span<const AgentSpec> agents, OwnerId owner,
                             Micros now) override {
    return real_->upsert_agents(agents, owner, now);
  }
  absl::StatusOr<std::vector<AgentId>> report_positions(std::span<const PositionReport> positions,
                                                        Micros now) override {
    return real_->report_positions(positions, now);
  }
  std::uint64_t remove_agents(std::span<const AgentId> agents, EventReason reason) override {
    return real_->remove_agents(agents, reason);
  }
  std::uint64_t remove_owner(OwnerId owner, EventReason reason) override {
    REPATH_CHECK(fault_ != Plant::kExpiry && "planted in remove_owner");
    return real_->remove_owner(owner, reason);
  }
  void acknowledge(AgentId agent, PathVersion version) override {
    real_->acknowledge(agent, version);
  }
  void begin_frame() override { real_->begin_frame(); }
  StepReport plan(WorkUnits budget, Micros now) override {
    ++plans_;
    REPATH_CHECK(fault_ != Plant::kPlan && "planted in plan");
    if (fault_ == Plant::kHelper) fail_on_a_helper();
    StepReport report = real_->plan(budget, now);
    if (fault_ != Plant::kEndlessPlan) return report;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    report.used = budget;
    report.idle = false;
    return report;
  }
  bool is_idle() const override { return real_->is_idle(); }
  std::vector<AgentEvent> take_events() override { return real_->take_events(); }
  Revision settled_revision(std::optional<OwnerId> owner) const override {
    return real_->settled_revision(owner);
  }
  Waiting waiting(std::optional<OwnerId> owner, Micros now) const override {
    return real_->waiting(owner, now);
  }
  std::optional<Revision> settled_revision_of(AgentId agent) const override {
    return real_->settled_revision_of(agent);
  }
  std::optional<OwnerId> owner_of(AgentId agent) const override { return real_->owner_of(agent); }
  std::optional<AgentView> agent(AgentId id) const override { return real_->agent(id); }
  std::optional<AgentEvent> latest_verdict(AgentId id) override {
    return real_->latest_verdict(id);
  }
  std::vector<AgentId> agent_ids(std::optional<OwnerId> owner) const override {
    return real_->agent_ids(owner);
  }
  std::vector<AgentView> agents(AgentId from, std::size_t limit, bool with_paths,
                                std::optional<OwnerId> owner) const override {
    return real_->agents(from, limit, with_paths, owner);
  }
  std::uint64_t agent_count() const override { return real_->agent_count(); }
  Revision revision() const override { return real_->revision(); }
  std::uint64_t state_hash() const override { return real_->state_hash(); }
  std::uint64_t obstacle_count() const override { return real_->obstacle_count(); }
  AnyProfiles profiles() const override { return real_->profiles(); }
  Stats stats() const override { return real_->stats(); }
  std::uint64_t memory_bytes() const override { return real_->memory_bytes(); }
  absl::StatusOr<AnySnapshot> capture(const std::string& profile, TeamId team) override {
    REPATH_CHECK(fault_ != Plant::kCapture && "planted in capture");
    return real_->capture(profile, team);
  }

 private:
  // Jobs on the caller's own thread only take long.
  void fail_on_a_helper() {
    std::thread::id caller = std::this_thread::get_id();
    const auto job = [](void* context, std::size_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      REPATH_CHECK(std::this_thread::get_id() == *static_cast<std::thread::id*>(context) &&
                   "planted on a helper");
    };
    executor_.run(64, job, &caller);
  }

  const std::unique_ptr<Engine> real_;
  Executor& executor_;
  std::atomic<Plant> fault_{Plant::kNone};
  std::atomic<std::uint64_t> plans_{0};
};

}  // namespace repath::test
