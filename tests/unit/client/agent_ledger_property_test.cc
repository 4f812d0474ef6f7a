// Random calls of a game, random losses and random resumptions, against a plain model: the last
// call for each agent wins, and so does its last position.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "repath/internal/agent_ledger.h"
#include "support/seed.h"

namespace repath::client {
namespace {

constexpr std::uint64_t kIds = 6;       // Agents of the game have the ids 1 to 6.
constexpr std::uint64_t kForeign = 90;  // Belongs to another session.
constexpr std::int32_t kLostX = -1;     // A position that a restart has lost.

struct Standing {
  std::int32_t x = 0;
  std::int32_t goal = 0;
  friend bool operator==(const Standing&, const Standing&) = default;
};
using Standings = std::map<std::uint64_t, Standing>;

void PrintTo(const Standing& standing, std::ostream* out) {
  *out << "at " << standing.x << " towards " << standing.goal;
}

struct Answer {
  std::uint64_t number = 0;  // Of a batch; 0 for a refusal.
  std::uint64_t applied = 0;
  std::uint64_t taken = 0;
  std::optional<std::uint64_t> refused{};  // Sequence of a message with the agent kForeign, which
  std::size_t named = 0;                   // stands at this index.
};

// A server as agent.proto describes it. What it takes in reaches its disk later.
class PlainServer {
 public:
  struct Opening {
    bool resumed = false;
    bool reloaded = false;
    std::uint64_t applied_sequence = 0;
  };

  std::optional<Answer> take(const v1::SessionRequest& message) {
    EXPECT_GT(message.sequence(), sequence_);
    const std::uint64_t before = std::exchange(sequence_, message.sequence());
    const auto foreign = place_of_foreign(message);
    if (foreign) {
      if (!unread_) unread_.emplace().sequence = before;
      unread_->batch = batches_ + 1;
    } else {
      apply(message);
    }
    reach(sequence_);
    if (!foreign) return std::nullopt;
    return Answer{0, 0, 0, sequence_, *foreign};
  }

  // Writes `messages` more to the disk.
  void write(std::size_t messages) {
    for (; messages > 0 && !unwritten_.empty(); --messages) {
      disk_ = std::move(unwritten_.front());
      unwritten_.pop_front();
    }
    if (disk_.sequence >= open_sequence_) safe_sequence_ = disk_.sequence;
  }

  [[nodiscard]] Answer batch() { return {++batches_, safe_sequence_, sequence_, {}, 0}; }

  Opening open(std::uint64_t sequence, bool restarts, bool forgets) {
    Opening opening{!forgets, false, safe_sequence_};
    if (unread_) opening.applied_sequence = std::min(unread_->sequence, safe_sequence_);
    if (restarts) {
      standings_ = disk_.standings;
      for (auto& [id, standing] : standings_) standing.x = kLostX;
      unwritten_.clear();
      unread_.reset();
      opening = {true, true, disk_.row};
    }
    if (forgets) {
      standings_.clear();
      unread_.reset();
      opening.applied_sequence = 0;
    }
    if (unread_) unread_ = Unread{opening.applied_sequence, 1};
    sequence_ = open_sequence_ = sequence;
    safe_sequence_ = batches_ = 0;
    reach(sequence);
    return opening;
  }

  [[nodiscard]] const Standings& standings() const { return standings_; }

 private:
  static std::optional<std::size_t> place_of_foreign(const v1::SessionRequest& message) {
    for (int i = 0; i < message.report().positions_size(); ++i)
      if (message.report().positions(i).id() == kForeign) return i;
    for (int i = 0; i < message.remove().agent_ids_size(); ++i)
      if (message.remove().agent_ids(i) == kForeign) return i;
    return std::nullopt;
  }

  void apply(const v1::SessionRequest& message) {
    if (unread_ && message.acknowledge().batch_number() >= unread_->batch) unread_.reset();
    for (const auto& agent : message.upsert().agents())
      standings_[agent.id()] = {agent.position().cell().x(), agent.goals(0).cell().x()};
    for (const auto& position : message.report().positions())
      if (const auto at = standings_.find(position.id()); at != standings_.end())
        at->second.x = position.position().cell().x();
    for (const std::uint64_t id : message.remove().agent_ids()) standings_.erase(id);
  }

  void reach(std::uint64_t sequence) {
    unwritten_.push_back({sequence, unread_ ? unread_->sequence : sequence, standings_});
  }

  struct State {
    std::uint64_t sequence = 0;  // The last message,
    std::uint64_t row = 0;       // the last one that a restarted server names,
    Standings standings;         // and what they made.
  };
  struct Unread {
    std::uint64_t sequence = 0;  // The last message before the first refusal that may be unread.
    std::uint64_t batch = 0;     // The first one after the last refusal.
  };
  Standings standings_;
  std::optional<Unread> unread_;
  std::uint64_t batches_ = 0;  // Of the present stream.
  std::uint64_t sequence_ = 0;
  std::uint64_t open_sequence_ = 0;
  std::uint64_t safe_sequence_ = 0;  // Of the present stream.
  State disk_;
  std::deque<State> unwritten_;
};

class Play {
 public:
  explicit Play(std::uint64_t seed) : dice_(seed), is_durable_(roll(2) == 0) { open(); }

  void step() {
    switch (roll(12)) {
      case 0:
      case 1:
        return upsert();
      case 2:
      case 3:
        return report();
      case 4:
        return remove();
      case 5:
      case 6:
        return write();
      case 7:
      case 8:
        return take();
      case 9:
        if (is_durable_) server_.write(roll(4));
        return answers_.push_back(server_.batch());
      case 10:
        return hear();
      default:
        if (roll(3) == 0) lose();
    }
  }

  // Plays without losses until both sides are at rest, and compares.
  void settle() {
    do {
      write();
      take();
      server_.write(1000);
      answers_.push_back(server_.batch());
      while (!answers_.empty()) hear();
    } while (!at_rest_);
    EXPECT_EQ(server_.standings(), wanted_);
    EXPECT_EQ(ledger_.applied_call(), last_call_);
  }

 private:
  std::uint64_t roll(std::uint64_t sides) { return dice_() % sides; }

  void upsert() {
    std::vector<Agent> agents;
    for (std::uint64_t id = 1 + roll(kIds); id <= kIds; id += 1 + roll(kIds)) {
      Agent& agent = agents.emplace_back();
      agent.id = id;
      agent.position = Cell{next_x_, 0};
      const auto known = wanted_.find(id);
      const bool same_goal = known != wanted_.end() && roll(3) == 0;
      const std::int32_t goal = same_goal ? known->second.goal : next_x_;
      agent.goals = {Cell{goal, 0}};
      wanted_[id] = {next_x_++, goal};
    }
    last_call_ = ledger_.upsert(std::move(agents), /*take_over=*/roll(6) == 0);
  }

  void report() {
    std::vector<AgentPosition> positions;
    for (std::uint64_t id = 1 + roll(kIds); id <= kIds; id += 1 + roll(kIds)) {
      positions.push_back({id, Cell{next_x_, 0}, 0});
      if (const auto at = wanted_.find(id); at != wanted_.end()) at->second.x = next_x_;
      ++next_x_;
    }
    if (roll(6) == 0) positions.push_back({kForeign, Cell{0, 0}, 0});
    last_call_ = ledger_.report(positions);
  }

  void remove() {
    std::vector<std::uint64_t> ids;
    for (std::uint64_t id = 1 + roll(kIds); id <= kIds; id += 1 + roll(kIds)) {
      ids.push_back(id);
      wanted_.erase(id);
    }
    if (roll(6) == 0) ids.push_back(kForeign);
    last_call_ = ledger_.remove(ids);
  }

  void write() {
    at_rest_ = true;
    for (std::uint64_t messages = 1 + roll(4); messages > 0; --messages) {
      auto message = ledger_.next();
      if (!message) return;
      at_rest_ = false;
      wire_.push_back(*std::move(message));
    }
  }

  void take() {
    for (std::uint64_t messages = 1 + roll(4); messages > 0 && !wire_.empty(); --messages) {
      if (const auto refusal = server_.take(wire_.front())) answers_.push_back(*refusal);
      wire_.pop_front();
      if (!is_durable_) server_.write(1000);
    }
    if (!wire_.empty()) at_rest_ = false;
  }

  void hear() {
    if (answers_.empty()) return;
    const Answer answer = answers_.front();
    answers_.pop_front();
    if (answer.refused) {
      EXPECT_FALSE(ledger_.rejected(*answer.refused, answer.named, /*is_owned=*/true).has_value());
    } else {
      ledger_.applied(answer.applied);
      ledger_.taken(answer.taken);
      if (roll(2) == 0) acknowledge(answer.number);
    }
    if (answer.refused) at_rest_ = false;  // The rest of the message is sent again.
  }

  void acknowledge(std::uint64_t batch) {
    v1::SessionRequest message;
    message.set_sequence(ledger_.take_sequence());
    message.mutable_acknowledge()->set_batch_number(batch);
    wire_.push_back(std::move(message));
  }

  // Breaks the stream. A part of what was written arrives all the same. Answers are lost, also
  // refusals.
  void lose() {
    if (roll(2) == 0) take();
    answers_.clear();
    wire_.clear();
    while (roll(4) == 0) {  // The answer to an `open` is lost, too.
      (void)server_.open(ledger_.begin_stream(), false, false);
      if (!is_durable_ || roll(2) == 0) server_.write(1000);
    }
    open();
  }

  void open() {
    if (is_durable_ && roll(2) == 0) server_.write(roll(8));
    const bool forgets = roll(5) == 0;
    const bool restarts = is_durable_ && !forgets && roll(3) == 0;
    const auto opening = server_.open(ledger_.begin_stream(), restarts, forgets);
    if (!is_durable_) server_.write(1000);
    ledger_.opened(opening.resumed, opening.reloaded, opening.applied_sequence);
  }

  std::mt19937_64 dice_;
  const bool is_durable_;
  AgentLedger ledger_;
  PlainServer server_;
  Standings wanted_;
  std::deque<v1::SessionRequest> wire_;
  std::deque<Answer> answers_;
  std::uint64_t last_call_ = 0;
  std::int32_t next_x_ = 1;
  bool at_rest_ = false;
};

TEST(AgentLedger, AfterAnyLossTheServerEndsWithWhatTheGameLastSaid) {
  SCOPED_TRACE(test::seed_trace());
  for (std::uint64_t game = 0; game < 2'000 && !testing::Test::HasFailure(); ++game) {
    SCOPED_TRACE("game " + std::to_string(game));
    Play play(test::seed() + game);
    for (int round = 0; round < 4; ++round) {
      for (int step = 0; step < 60; ++step) play.step();
      play.settle();
    }
  }
}

}  // namespace
}  // namespace repath::client
