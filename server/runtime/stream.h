// One open stream of verdicts in the world's strand: an outbox, the batches in flight, and the
// revision up to which agents without a verdict are confirmed. A Session has an acknowledgement
// window; a watch has at most one batch in flight.
//
// Not thread-safe; owned by the world's strand, which calls the sink. A sink passes the message on
// and returns. Invariants, beside 2 of the room's README: batch numbers count from 1 without a gap,
// and no batch is made while the window is closed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/ids.h"
#include "engine/engine.h"
#include "runtime/durable_state.h"
#include "runtime/latest_verdicts.h"
#include "runtime/outbox.h"

namespace repath {

struct EventBatch {
  std::uint64_t number = 0;
  Revision revision{};  // of the world
  Revision settled{};
  std::uint64_t applied_sequence = 0;  // of the client's last message that is safe
  std::vector<OutgoingEvent> events;
  std::uint64_t coalesced = 0;
  std::uint64_t waiting = 0;
  std::uint64_t late = 0;
  std::uint64_t frame = 0;
  DurableState durable = {};
  // Sequence of the client's last message that took effect; above applied_sequence if that message
  // is not safe yet.
  std::uint64_t taken_sequence = 0;
};

struct SessionOpened {
  std::string session_id;
  bool resumed = false;
  Revision revision{};
  std::uint64_t agents = 0;
  DurableState durable = {};
  // The last message of the session's earlier streams that is known to be safe; 0: none. It comes
  // before each message whose rejection the client may not have read.
  std::uint64_t applied_sequence = 0;
};

// The transport's end of a stream. The world's strand calls it, one call at a time, in the order in
// which to write; on_end() is the last call.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void on_batch(EventBatch batch) = 0;
  virtual void on_end(absl::Status status) = 0;

  // For sessions only. on_opened() is the first call; on_unknown() gives the unknown agents of the
  // report with this sequence, in the order of the report.
  virtual void on_opened(const SessionOpened&) {}
  virtual void on_rejected(std::uint64_t /*sequence*/, absl::Status) {}
  virtual void on_unknown(std::uint64_t /*sequence*/, std::vector<AgentId>) {}
};

// Estimated size at which a batch is cut. A larger event goes alone and has at most 3 MB.
inline constexpr std::size_t kBatchBytes = 1u << 20;

// The agents of a stream: those of one owner, chosen agents, or all.
struct Audience {
  std::optional<OwnerId> owner;
  std::vector<AgentId> agents;  // ascending; empty: all

  // Returns whether the agent is among the chosen ones. REQUIRES: no owner.
  bool includes(AgentId agent) const {
    return agents.empty() || std::ranges::binary_search(agents, agent);
  }
};

class Stream {
 public:
  // `window`: number of batches that may be in flight, [1, 16]. Borrows `durable`, which batches
  // tell; null: the world lives in memory alone.
  Stream(Audience audience, std::uint32_t window, std::shared_ptr<EventSink> sink,
         const DurableMark* durable = nullptr);

  // Begins with the latest verdicts of these agents (ascending, each once), if they belong to a
  // revision after `after`. Call it before any event is put.
  void begin_with(std::vector<AgentId> agents, Revision after);

  const Audience& audience() const { return audience_; }
  EventSink& sink() { return *sink_; }
  Outbox& outbox() { return outbox_; }
  const Outbox& outbox() const { return outbox_; }

  // Sends the events of the outbox as far as the window is open. With `notice` it also sends an
  // empty batch if the settled revision or the applied sequence has advanced and no other batch
  // reports it. A notice that the window holds up follows the next acknowledgement. O(events sent).
  void pump(LatestVerdicts& latest, std::uint64_t frame, Micros now, bool notice);
  // Sends everything that is left, whatever the window, and then the end.
  void finish(LatestVerdicts& latest, std::uint64_t frame, Micros now, absl::Status status);

  // The content that has certainly reached the client.
  struct Arrived {
    std::vector<std::pair<AgentId, PathVersion>> paths;
    std::vector<EventPtr> taken;  // REMOVED (kTakenOver)
  };
  // Reports that batches up to `number` have arrived, and returns their content. INVALID_ARGUMENT
  // for a batch that was not sent.
  absl::StatusOr<Arrived> acknowledge(std::uint64_t number);

  // Sequence of the client's last message that took effect.
  std::uint64_t sequence() const { return sequence_; }
  void set_sequence(std::uint64_t sequence) { sequence_ = sequence; }
  // Sequence up to which all that the client's messages did is durable, if the world is; batches
  // tell it. At most sequence().
  void set_safe_sequence(std::uint64_t sequence) { safe_sequence_ = sequence; }
  // Returns whether a notice has something new to tell of the disk.
  bool tells_less_than_safe() const { return safe_sequence_ > sent_sequence_; }

  std::uint64_t last_batch() const { return last_batch_; }
  // Returns what holds once all batches so far have been read: {settled revision, applied
  // sequence}.
  std::pair<Revision, std::uint64_t> settled_when_read(const Engine& engine) const;
  bool notice_held_up() const { return notice_held_up_; }

 private:
  struct OnItsWay {
    std::uint64_t number;
    Arrived holds;  // sessions only; watches acknowledge nothing
  };
  bool window_open() const { return on_its_way_.size() < window_; }
  Revision settled_now(const Engine& engine) const;
  Engine::Waiting waiting_now(const Engine& engine, Micros now) const;
  void send(std::vector<OutgoingEvent> events, const Engine& engine, std::uint64_t frame,
            Micros now);
  std::vector<OutgoingEvent> take(LatestVerdicts& latest);

  Audience audience_;
  std::size_t window_;
  std::shared_ptr<EventSink> sink_;
  const DurableMark* durable_;
  Outbox outbox_;
  Revision begin_after_{};
  std::deque<OnItsWay> on_its_way_;
  std::uint64_t last_batch_ = 0;
  std::uint64_t sequence_ = 0;
  std::uint64_t safe_sequence_ = 0;
  Revision sent_settled_{};          // in the last batch
  std::uint64_t sent_sequence_ = 0;  // in the last batch
  std::uint64_t sent_effect_ = 0;    // sequence_ at the last batch that emptied the outbox
  bool notice_held_up_ = false;
};

}  // namespace repath
