#include "repath/internal/agent_ledger.h"

#include <algorithm>
#include <utility>

#include "repath/internal/convert.h"

namespace repath::client {

std::uint64_t AgentLedger::upsert(std::vector<Agent> agents) {
  ++last_call_;
  for (Agent& agent : agents) {
    const std::uint64_t id = agent.id;
    upsert_queue_.put(id, last_call_);
    report_queue_.erase(id);  // The agent carries its position.
    reports_.erase(id);
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
    agents_.erase(id);
    reports_.erase(id);
    upsert_queue_.erase(id);
    report_queue_.erase(id);
    remove_queue_.put(id, last_call_);
  }
  return last_call_;
}

void AgentLedger::opened(bool resumed) {
  std::deque<InFlight> written;
  written.swap(in_flight_);
  for (const InFlight& message : written) send_again(message);
  if (resumed) return;
  // The server has none of the agents: each is put in at its last position, so nothing is to be
  // reported or removed.
  report_queue_.clear();
  reports_.clear();
  remove_queue_.clear();
  for (const auto& [id, agent] : agents_) {
    if (!upsert_queue_.contains(id)) upsert_queue_.put(id, 1);
  }
}

void AgentLedger::send_again(const InFlight& message) {
  for (std::size_t i = 0; i < message.ids.size(); ++i) {
    const std::uint64_t id = message.ids[i];
    switch (message.kind) {
      case Kind::kUpsert:
        if (agents_.contains(id)) upsert_queue_.put(id, message.call);
        break;
      case Kind::kReport:
        if (remove_queue_.contains(id)) break;
        report_queue_.put(id, message.call);
        reports_.try_emplace(id, message.positions[i]);
        break;
      case Kind::kRemove:
        remove_queue_.put(id, message.call);
        break;
    }
  }
}

CallQueue& AgentLedger::queue(Kind kind) {
  switch (kind) {
    case Kind::kUpsert:
      return upsert_queue_;
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
  for (const Kind candidate : {Kind::kRemove, Kind::kUpsert, Kind::kReport}) {
    const auto oldest = queue(candidate).oldest();
    if (oldest.has_value() && (!kind.has_value() || *oldest < *queue(*kind).oldest()))
      kind = candidate;
  }
  if (!kind.has_value()) return std::nullopt;

  CallQueue::Group group = queue(*kind).take(*kind == Kind::kUpsert ? kUpsertsMax : kPositionsMax);
  InFlight message{take_sequence(), *kind, group.call, std::move(group.ids), {}};
  v1::SessionRequest request;
  request.set_sequence(message.sequence);
  for (const std::uint64_t id : message.ids) {
    switch (message.kind) {
      case Kind::kUpsert:
        to_proto(agents_.at(id), request.mutable_upsert()->add_agents());
        break;
      case Kind::kReport: {
        auto report = reports_.extract(id);
        to_proto(report.mapped(), request.mutable_report()->add_positions());
        message.positions.push_back(std::move(report.mapped()));
        break;
      }
      case Kind::kRemove:
        request.mutable_remove()->add_agent_ids(id);
        break;
    }
  }
  in_flight_.push_back(std::move(message));
  return request;
}

void AgentLedger::applied(std::uint64_t sequence) {
  while (!in_flight_.empty() && in_flight_.front().sequence <= sequence) in_flight_.pop_front();
}

std::optional<std::uint64_t> AgentLedger::rejected(std::uint64_t sequence) {
  const auto at = std::find_if(in_flight_.begin(), in_flight_.end(), [&](const InFlight& message) {
    return message.sequence == sequence;
  });
  if (at == in_flight_.end()) return std::nullopt;
  const InFlight message = std::move(*at);
  in_flight_.erase(at);
  if (message.kind == Kind::kUpsert) {
    for (const std::uint64_t id : message.ids) {
      if (!upsert_queue_.contains(id)) agents_.erase(id);
    }
  }
  return message.call;
}

std::uint64_t AgentLedger::applied_call() const {
  std::uint64_t oldest = last_call_ + 1;
  for (const CallQueue* waiting : {&upsert_queue_, &report_queue_, &remove_queue_}) {
    if (const auto call = waiting->oldest()) oldest = std::min(oldest, *call);
  }
  for (const InFlight& message : in_flight_) oldest = std::min(oldest, message.call);
  return oldest - 1;
}

}  // namespace repath::client
