#include "repath/internal/agent_ledger.h"

#include <algorithm>
#include <utility>

#include "repath/internal/convert.h"

namespace repath::client {

namespace {

// Returns whether both agents ask the same, as the server sees it.
bool is_same_question(const Agent& a, Agent b) {
  b.position = a.position;
  b.priority = a.priority;
  b.max_staleness_ms = a.max_staleness_ms;
  b.confirm = a.confirm;
  b.goal_generation = a.goal_generation;
  return a == b;
}

}  // namespace

std::uint64_t AgentLedger::upsert(std::vector<Agent> agents, bool take_over) {
  ++last_call_;
  for (Agent& agent : agents) {
    const std::uint64_t id = agent.id;
    // An agent to be taken over stays so, whatever later calls ask.
    const bool takes_over = take_over || take_over_queue_.contains(id);
    (takes_over ? take_over_queue_ : upsert_queue_).put(id, last_call_);
    if (takes_over) upsert_queue_.erase(id);
    again_queue_.erase(id);
    report_queue_.erase(id);  // The agent carries its position.
    reports_.erase(id);
    const auto known = agents_.find(id);
    if (known == agents_.end() || !is_same_question(known->second, agent)) new_questions_[id] = 0;
    agents_.insert_or_assign(id, std::move(agent));
  }
  return last_call_;
}

std::uint64_t AgentLedger::report(const std::vector<AgentPosition>& positions) {
  ++last_call_;
  for (const AgentPosition& position : positions) {
    report_queue_.put(position.id, last_call_);
    reports_.insert_or_assign(position.id, position);
    if (const auto agent = agents_.find(position.id); agent != agents_.end()) {
      agent->second.position = position.position;
    }
  }
  return last_call_;
}

std::uint64_t AgentLedger::remove(const std::vector<std::uint64_t>& agent_ids) {
  ++last_call_;
  for (const std::uint64_t id : agent_ids) {
    forget(id);
    remove_queue_.put(id, last_call_);
  }
  return last_call_;
}

void AgentLedger::forget(std::uint64_t id) {
  agents_.erase(id);
  reports_.erase(id);
  new_questions_.erase(id);
  for (CallQueue* waiting : {&upsert_queue_, &take_over_queue_, &again_queue_, &report_queue_})
    waiting->erase(id);
}

bool AgentLedger::is_to_be_put_in(std::uint64_t id) const {
  return upsert_queue_.contains(id) || take_over_queue_.contains(id) || again_queue_.contains(id);
}

void AgentLedger::opened(bool resumed, bool reloaded) {
  std::deque<InFlight> written;
  written.swap(in_flight_);
  for (const InFlight& message : written) send_again(message);
  if (resumed && reloaded) report_again();
  if (resumed) return;
  // The server has none of the agents: each is added at its last position, so there is nothing to
  // report or remove.
  report_queue_.clear();
  reports_.clear();
  remove_queue_.clear();
  for (const auto& [id, agent] : agents_) {
    if (!is_to_be_put_in(id)) again_queue_.put(id, 1);
  }
}

// The versions of paths from before the restart mean nothing to the server any more.
void AgentLedger::report_again() {
  for (auto& [id, report] : reports_) report.path_version = 0;
  for (const auto& [id, agent] : agents_) {
    if (is_to_be_put_in(id) || report_queue_.contains(id)) continue;
    report_queue_.put(id, 1);
    reports_.insert_or_assign(id, AgentPosition{id, agent.position, 0});
  }
}

void AgentLedger::send_again(const InFlight& message) {
  for (std::size_t place = 0; place < message.ids.size(); ++place) send_again(message, place);
}

void AgentLedger::send_again(const InFlight& message, std::size_t place) {
  const std::uint64_t id = message.ids[place];
  switch (message.kind) {
    case Kind::kUpsert:
    case Kind::kTakeOver:
    case Kind::kAgain:
      if (!agents_.contains(id) || take_over_queue_.contains(id)) break;
      if (message.kind == Kind::kTakeOver) upsert_queue_.erase(id);
      if (message.kind != Kind::kAgain || !is_to_be_put_in(id))
        queue(message.kind).put(id, message.call);
      if (const auto asked = new_questions_.find(id); asked != new_questions_.end())
        asked->second = 0;
      break;
    case Kind::kReport:
      if (remove_queue_.contains(id)) break;
      report_queue_.put(id, message.call);
      reports_.try_emplace(id, message.positions[place]);
      break;
    case Kind::kRemove:
      remove_queue_.put(id, message.call);
      break;
  }
}

CallQueue& AgentLedger::queue(Kind kind) {
  switch (kind) {
    case Kind::kUpsert:
      return upsert_queue_;
    case Kind::kTakeOver:
      return take_over_queue_;
    case Kind::kAgain:
      return again_queue_;
    case Kind::kReport:
      return report_queue_;
    case Kind::kRemove:
      break;
  }
  return remove_queue_;
}

std::optional<v1::SessionRequest> AgentLedger::next() {
  if (in_flight_.size() >= kInFlightMax) return std::nullopt;
  std::optional<Kind> kind;
  for (const Kind candidate :
       {Kind::kRemove, Kind::kUpsert, Kind::kTakeOver, Kind::kAgain, Kind::kReport}) {
    const auto oldest = queue(candidate).oldest();
    if (oldest.has_value() && (!kind.has_value() || *oldest < *queue(*kind).oldest()))
      kind = candidate;
  }
  if (!kind.has_value()) return std::nullopt;

  const bool has_positions = *kind == Kind::kReport || *kind == Kind::kRemove;
  CallQueue::Group group = queue(*kind).take(has_positions ? kPositionsMax : kUpsertsMax);
  InFlight message{take_sequence(), *kind, group.call, std::move(group.ids), {}};
  v1::SessionRequest request;
  request.set_sequence(message.sequence);
  fill(&message, &request);
  in_flight_.push_back(std::move(message));
  return request;
}

void AgentLedger::fill(InFlight* message, v1::SessionRequest* request) {
  for (const std::uint64_t id : message->ids) {
    switch (message->kind) {
      case Kind::kUpsert:
      case Kind::kTakeOver:
      case Kind::kAgain:
        to_proto(agents_.at(id), request->mutable_upsert()->add_agents());
        if (const auto asked = new_questions_.find(id); asked != new_questions_.end())
          asked->second = message->sequence;
        break;
      case Kind::kReport: {
        auto report = reports_.extract(id);
        to_proto(report.mapped(), request->mutable_report()->add_positions());
        message->positions.push_back(std::move(report.mapped()));
        break;
      }
      case Kind::kRemove:
        request->mutable_remove()->add_agent_ids(id);
        break;
    }
  }
  if (message->kind == Kind::kTakeOver) request->mutable_upsert()->set_take_over(true);
}

void AgentLedger::applied(std::uint64_t sequence) {
  while (!in_flight_.empty() && in_flight_.front().sequence <= sequence) in_flight_.pop_front();
  taken(sequence);
}

void AgentLedger::taken(std::uint64_t sequence) {
  last_taken_ = std::max(last_taken_, sequence);
  std::erase_if(new_questions_, [sequence](const auto& asked) {
    return asked.second != 0 && asked.second <= sequence;
  });
}

std::optional<std::uint64_t> AgentLedger::call_of(std::uint64_t sequence) const {
  for (const InFlight& message : in_flight_)
    if (message.sequence == sequence) return message.call;
  return std::nullopt;
}

std::optional<std::uint64_t> AgentLedger::rejected(std::uint64_t sequence,
                                                   std::optional<std::size_t> owned) {
  const auto at = std::find_if(in_flight_.begin(), in_flight_.end(), [&](const InFlight& message) {
    return message.sequence == sequence;
  });
  if (at == in_flight_.end()) return std::nullopt;
  const InFlight message = std::move(*at);
  in_flight_.erase(at);
  const bool is_upsert = message.kind == Kind::kUpsert || message.kind == Kind::kTakeOver;
  if (!is_upsert && owned && *owned < message.ids.size()) {
    for (std::size_t place = 0; place < message.ids.size(); ++place)
      if (place != *owned) send_again(message, place);
    if (message.kind != Kind::kAgain) return std::nullopt;
    if (!is_to_be_put_in(message.ids[*owned])) forget(message.ids[*owned]);
    return message.call;
  }
  if (is_upsert || message.kind == Kind::kAgain) {
    for (const std::uint64_t id : message.ids)
      if (!is_to_be_put_in(id)) forget(id);
  }
  return message.call;
}

void AgentLedger::taken_over(std::uint64_t agent_id) {
  const bool is_on_its_way =
      std::any_of(in_flight_.begin(), in_flight_.end(), [&](const InFlight& message) {
        const bool is_put_in = message.kind != Kind::kReport && message.kind != Kind::kRemove;
        return is_put_in && message.sequence > last_taken_ &&
               std::find(message.ids.begin(), message.ids.end(), agent_id) != message.ids.end();
      });
  if (!is_on_its_way && !is_to_be_put_in(agent_id)) return forget(agent_id);
  report_queue_.erase(agent_id);  // The upsert has its position.
  reports_.erase(agent_id);
}

std::uint64_t AgentLedger::applied_call() const {
  std::uint64_t oldest = last_call_ + 1;
  for (const CallQueue* waiting :
       {&upsert_queue_, &take_over_queue_, &again_queue_, &report_queue_, &remove_queue_}) {
    if (const auto call = waiting->oldest()) oldest = std::min(oldest, *call);
  }
  for (const InFlight& message : in_flight_) oldest = std::min(oldest, message.call);
  return oldest - 1;
}

}  // namespace repath::client
