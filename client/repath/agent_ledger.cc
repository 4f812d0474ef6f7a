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

std::uint64_t AgentLedger::begin_call(std::size_t agents) {
  ++last_call_;
  if (agents > 0) last_filled_call_ = last_call_;
  return last_call_;
}

std::uint64_t AgentLedger::upsert(std::vector<Agent> agents, bool take_over) {
  const std::uint64_t call = begin_call(agents.size());
  for (std::size_t place = 0; place < agents.size(); ++place) {
    Agent& agent = agents[place];
    const std::uint64_t id = agent.id;
    // An agent to be taken over stays so, whatever later calls ask.
    const bool takes_over = take_over || take_over_queue_.contains(id);
    (takes_over ? take_over_queue_ : upsert_queue_).put(id, call, place);
    if (takes_over) upsert_queue_.erase(id);
    again_queue_.erase(id);
    report_queue_.erase(id);  // The agent carries its position.
    reports_.erase(id);
    if (asks_anew(agent)) replace_question(id);
    Wanted& wanted = agents_[id];
    wanted.agent = std::move(agent);
    wanted.call = call;
    wanted.place = place;
  }
  return call;
}

std::uint64_t AgentLedger::report(const std::vector<AgentPosition>& positions) {
  const std::uint64_t call = begin_call(positions.size());
  for (std::size_t place = 0; place < positions.size(); ++place) {
    const AgentPosition& position = positions[place];
    report_queue_.put(position.id, call, place);
    reports_.insert_or_assign(position.id, position);
    if (const auto wanted = agents_.find(position.id); wanted != agents_.end())
      wanted->second.agent.position = position.position;
  }
  return call;
}

std::uint64_t AgentLedger::remove(const std::vector<std::uint64_t>& agent_ids) {
  const std::uint64_t call = begin_call(agent_ids.size());
  for (std::size_t place = 0; place < agent_ids.size(); ++place) {
    const std::uint64_t id = agent_ids[place];
    replace_question(id);
    forget(id);
    remove_queue_.put(id, call, place);
  }
  return call;
}

bool AgentLedger::asks_anew(const Agent& agent) const {
  const auto known = agents_.find(agent.id);
  return known == agents_.end() || !is_same_question(known->second.agent, agent);
}

void AgentLedger::replace_question(std::uint64_t id) {
  Replaced& replaced = replaced_[id];
  replaced.sequence = 0;
  if (const auto known = agents_.find(id); known != agents_.end()) {
    replaced.goal_generation =
        std::max(replaced.goal_generation, known->second.agent.goal_generation);
  }
}

bool AgentLedger::is_outdated(std::uint64_t agent_id, std::uint64_t goal_generation) const {
  const auto at = replaced_.find(agent_id);
  if (at == replaced_.end()) return false;
  const Replaced& replaced = at->second;
  if (replaced.sequence != 0 && replaced.sequence <= last_taken_) return false;
  const auto wanted = agents_.find(agent_id);
  return wanted == agents_.end() || goal_generation != wanted->second.agent.goal_generation ||
         goal_generation <= replaced.goal_generation;
}

void AgentLedger::forget(std::uint64_t id) {
  agents_.erase(id);
  reports_.erase(id);
  for (CallQueue* waiting : {&upsert_queue_, &take_over_queue_, &again_queue_, &report_queue_})
    waiting->erase(id);
}

bool AgentLedger::is_to_be_put_in(std::uint64_t id) const {
  return upsert_queue_.contains(id) || take_over_queue_.contains(id) || again_queue_.contains(id);
}

void AgentLedger::opened(bool resumed, bool reloaded, std::uint64_t applied_sequence) {
  // If the server has begun a stream of which this side never heard, it names the `open` of that
  // one, which says nothing of the messages before.
  if (resumed && applied_sequence <= written_) applied(applied_sequence);
  // A server that goes on answers questions that it has taken in, on its disk or not.
  if (resumed && !reloaded) {
    std::erase_if(replaced_, [this](const auto& entry) {
      return entry.second.sequence != 0 && entry.second.sequence <= last_taken_;
    });
  }
  std::deque<InFlight> written;
  written.swap(in_flight_);
  // The newest first, so that whatever waits already is newer than what is put back.
  for (auto message = written.rbegin(); message != written.rend(); ++message) put_back(*message);
  if (resumed && reloaded) report_again();
  if (resumed) return;
  // The server has none of the agents: each is added at its last position.
  for (const auto& [id, wanted] : agents_) {
    report_queue_.erase(id);
    reports_.erase(id);
    if (!is_to_be_put_in(id)) again_queue_.put(id, 1, 0);
  }
}

// The versions of paths from before the restart mean nothing to the server any more.
void AgentLedger::report_again() {
  for (auto& [id, report] : reports_) report.path_version = 0;
  for (const auto& [id, wanted] : agents_) {
    if (is_to_be_put_in(id) || report_queue_.contains(id)) continue;
    report_queue_.put(id, 1, 0);
    reports_.insert_or_assign(id, AgentPosition{id, wanted.agent.position, 0});
  }
}

void AgentLedger::put_back(const InFlight& message) {
  for (std::size_t index = 0; index < message.ids.size(); ++index) {
    if (message.kind == Kind::kRemove) {
      put_back_removal(message, index);
    } else if (remove_queue_.contains(message.ids[index])) {
      continue;  // A later call has removed the agent.
    } else if (message.kind == Kind::kReport) {
      put_back_position(message, index);
    } else {
      put_back_agent(message, index);
    }
  }
}

void AgentLedger::put_back_agent(const InFlight& message, std::size_t index) {
  const std::uint64_t id = message.ids[index];
  if (!agents_.contains(id) || (message.kind == Kind::kAgain && is_to_be_put_in(id))) return;
  if (message.kind == Kind::kTakeOver) upsert_queue_.erase(id);
  const Kind kind = take_over_queue_.contains(id) ? Kind::kTakeOver : message.kind;
  queue(kind).put(id, message.call, message.places[index]);
  if (const auto at = replaced_.find(id); at != replaced_.end()) at->second.sequence = 0;
}

void AgentLedger::put_back_removal(const InFlight& message, std::size_t index) {
  const std::uint64_t id = message.ids[index];
  remove_queue_.put(id, message.call, message.places[index]);
  if (const auto at = replaced_.find(id); at != replaced_.end()) at->second.sequence = 0;
}

void AgentLedger::put_back_position(const InFlight& message, std::size_t index) {
  const std::uint64_t id = message.ids[index];
  if (is_to_be_put_in(id)) return;  // The agent carries a position that is as new.
  report_queue_.put(id, message.call, message.places[index]);
  reports_.try_emplace(id, message.positions[index]);
}

// Sends the rest of a refused message again. Messages that were written after it stay in flight.
void AgentLedger::send_without(const InFlight& message, std::size_t left_out) {
  for (std::size_t index = 0; index < message.ids.size(); ++index) {
    if (index == left_out) continue;
    const std::uint64_t id = message.ids[index];
    const auto wanted = agents_.find(id);
    const bool is_wanted = wanted != agents_.end();
    if (message.kind == Kind::kAgain) {
      put_back_agent(message, index);
    } else if (message.kind == Kind::kRemove) {
      const bool is_added_since = is_wanted && !is_to_be_put_in(id);
      if (!is_added_since) put_back_removal(message, index);
    } else if (is_wanted ? wanted->second.placed == message.sequence || report_queue_.contains(id)
                         : !replaced_.contains(id)) {
      put_back_position(message, index);
    }
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
  InFlight message{take_sequence(),         *kind, group.call, std::move(group.ids),
                   std::move(group.places), {}};
  v1::SessionRequest request;
  request.set_sequence(message.sequence);
  fill(&message, &request);
  in_flight_.push_back(std::move(message));
  return request;
}

void AgentLedger::fill(InFlight* message, v1::SessionRequest* request) {
  for (const std::uint64_t id : message->ids) {
    const auto wanted = agents_.find(id);
    bool is_last_word = true;  // On the agent's question.
    switch (message->kind) {
      case Kind::kUpsert:
      case Kind::kTakeOver:
      case Kind::kAgain:
        to_proto(wanted->second.agent, request->mutable_upsert()->add_agents());
        wanted->second.added = wanted->second.placed = message->sequence;
        break;
      case Kind::kReport: {
        auto report = reports_.extract(id);
        to_proto(report.mapped(), request->mutable_report()->add_positions());
        message->positions.push_back(std::move(report.mapped()));
        if (wanted != agents_.end()) wanted->second.placed = message->sequence;
        is_last_word = false;
        break;
      }
      case Kind::kRemove:
        request->mutable_remove()->add_agent_ids(id);
        is_last_word = !is_to_be_put_in(id);
        break;
    }
    // A later message that repeats the question leaves the number of the first one.
    const auto replaced = replaced_.find(id);
    if (is_last_word && replaced != replaced_.end() && replaced->second.sequence == 0)
      replaced->second.sequence = message->sequence;
  }
  if (message->kind == Kind::kTakeOver) request->mutable_upsert()->set_take_over(true);
}

void AgentLedger::applied(std::uint64_t sequence) {
  while (!in_flight_.empty() && in_flight_.front().sequence <= sequence) in_flight_.pop_front();
  std::erase_if(replaced_, [sequence](const auto& entry) {
    return entry.second.sequence != 0 && entry.second.sequence <= sequence;
  });
  taken(sequence);
}

void AgentLedger::taken(std::uint64_t sequence) { last_taken_ = std::max(last_taken_, sequence); }

std::optional<std::uint64_t> AgentLedger::call_of(std::uint64_t sequence) const {
  for (const InFlight& message : in_flight_)
    if (message.sequence == sequence) return message.call;
  return std::nullopt;
}

std::optional<AgentLedger::Refusal> AgentLedger::rejected(std::uint64_t sequence,
                                                          std::optional<std::size_t> named,
                                                          bool is_owned) {
  const auto at = std::find_if(in_flight_.begin(), in_flight_.end(), [&](const InFlight& message) {
    return message.sequence == sequence;
  });
  if (at == in_flight_.end()) return std::nullopt;
  const InFlight message = std::move(*at);
  in_flight_.erase(at);
  const bool names_one = named && *named < message.ids.size();
  Refusal refusal{message.call, std::nullopt};
  if (names_one) refusal.place = message.places[*named];
  switch (message.kind) {
    case Kind::kReport:
    case Kind::kRemove:
      if (!names_one || !is_owned) break;
      send_without(message, *named);
      return std::nullopt;
    case Kind::kAgain:
      if (names_one) {
        send_without(message, *named);
        const std::uint64_t id = message.ids[*named];
        if (const auto wanted = agents_.find(id); wanted != agents_.end())
          refusal = {wanted->second.call, wanted->second.place};
        forget_refused(id, sequence);
        break;
      }
      [[fallthrough]];
    case Kind::kUpsert:
    case Kind::kTakeOver:
      for (const std::uint64_t id : message.ids) forget_refused(id, sequence);
      break;
  }
  return refusal;
}

void AgentLedger::forget_refused(std::uint64_t id, std::uint64_t sequence) {
  const auto wanted = agents_.find(id);
  const bool is_added_again =
      is_to_be_put_in(id) || (wanted != agents_.end() && wanted->second.added != sequence);
  if (!is_added_again) forget(id);
}

void AgentLedger::taken_over(std::uint64_t agent_id) {
  const auto wanted = agents_.find(agent_id);
  const bool is_on_its_way = wanted != agents_.end() && wanted->second.added > last_taken_;
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
