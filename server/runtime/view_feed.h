// The WatchView streams of one world: pictures of all agents, for programs that draw the world.
//
// Not thread-safe; owned by the world's strand, which calls the sinks. A sink passes the picture on
// and returns. Invariants:
// 1. One picture is made for all viewers. While no viewer is ready, none is made.
// 2. A viewer has at most one picture in flight. It is sent the newest one, never those between.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "agents/agent.h"
#include "agents/stats.h"
#include "base/ids.h"
#include "runtime/stream_hub.h"

namespace repath {

// A picture. Plain values, shared by all viewers.
struct ViewFrame {
  std::uint64_t number = 0;  // from 1
  Revision revision{};
  Revision settled{};
  std::vector<AgentGlance> agents;  // ascending by id
  // Against the picture before: places in `agents` of new and changed ones, ids of those that went.
  std::vector<std::uint32_t> changed;
  std::vector<AgentId> removed;
  Stats stats;
  std::uint64_t frames_over_budget = 0;
  double frame_us_p50 = 0;
  double frame_us_p99 = 0;
};

class ViewSink {
 public:
  virtual ~ViewSink() = default;
  // Sends a picture. The viewer has the one with the number `before` (0: none), so what has changed
  // is enough for it if that is the one right before.
  virtual void on_view(std::shared_ptr<const ViewFrame> frame, std::uint64_t before) = 0;
  virtual void on_end(absl::Status status) = 0;
};

class ViewFeed {
 public:
  static constexpr Micros kPeriodUs = 100'000;
  // A picture that shows nothing new is sent after this many periods.
  static constexpr std::uint64_t kSilentPeriods = 10;

  // A picture has the agents with the least ids, so that it fits into a message.
  static constexpr std::size_t kAgentsMax = 200'000;

  explicit ViewFeed(std::uint64_t viewers_max) : viewers_max_(viewers_max) {}

  bool empty() const { return viewers_.empty(); }
  std::uint64_t streams() const { return viewers_.size(); }
  bool has(StreamId id) const { return viewers_.contains(id); }
  // Opens a stream. RESOURCE_EXHAUSTED with reason WATCHES_MAX.
  absl::Status open(StreamId id, std::shared_ptr<ViewSink> sink);
  // The viewer's picture was written and the next may follow.
  void ready(StreamId id);
  void close(StreamId id);
  // A period has passed: calls `look` for the world as it is, if a viewer is ready, and sends it.
  void send(const std::function<std::shared_ptr<ViewFrame>()>& look);
  void end_all(const absl::Status& status);

 private:
  struct Viewer {
    std::shared_ptr<ViewSink> sink;
    std::uint64_t last = 0;    // number of the picture that it has
    std::uint64_t silent = 0;  // periods since it was sent one
    bool is_sending = false;
  };
  // Writes what has changed since the last picture into `frame`.
  void compare(ViewFrame& frame) const;

  const std::uint64_t viewers_max_;
  std::map<StreamId, Viewer> viewers_;
  std::shared_ptr<const ViewFrame> last_;  // null without viewers
};

}  // namespace repath
