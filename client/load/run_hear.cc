// Run: calls and their answers, messages of streams, and the seconds.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "load/run.h"
#include "repath/internal/error_from.h"

namespace repath::load {
namespace {

constexpr auto kCallWithin = std::chrono::seconds(30);

// A call under way; its callback keeps it.
template <class Request, class Response>
struct Call {
  grpc::ClientContext context;
  Request request;
  Response response;
  Call() { context.set_deadline(std::chrono::system_clock::now() + kCallWithin); }
};

std::string code_of(const grpc::Status& status) {
  return client::code_name(client::error_from(status).code);
}

std::optional<double> ms(const Histogram& us, double share) {
  if (us.count() == 0) return std::nullopt;
  return us.percentile(share) / 1000;
}

}  // namespace

void Run::fail(const std::string& code) { ++tally_.errors[code]; }

void Run::fail_call(const grpc::Status& status) {
  fail(code_of(status));
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE) lost_ = status;
}

void Run::send_event(int world, Nanos intended) {
  Stage& stage = stages_[static_cast<std::size_t>(world)];
  using Apply = Call<v1::ApplyChangesRequest, v1::ApplyChangesResponse>;
  const auto call = std::make_shared<Apply>();
  const std::uint64_t change = stage.scene->next_change(call->request.mutable_batch());
  if (meter_.counts(intended)) {
    ++(change == 0 ? tally_.skipped : tally_.events);
    note_send(intended);
  }
  if (change == 0) return;
  call->request.set_world(stage.link->name());
  ++in_flight_;
  ++in_flight_changes_;
  worlds_->async()->ApplyChanges(
      &call->context, &call->request, &call->response,
      [this, call, world, change, intended](const grpc::Status& status) {
        inbox_.post([this, call, world, change, intended, status] {
          --in_flight_;
          --in_flight_changes_;
          const std::uint64_t revision = status.ok() ? call->response.revision() : 0;
          stages_[static_cast<std::size_t>(world)].scene->answered(change, revision);
          if (!status.ok()) return fail_call(status);
          meter_.committed(world, revision, intended);
        });
      });
}

void Run::send_query(int world, std::uint64_t number, Nanos intended) {
  Stage& stage = stages_[static_cast<std::size_t>(world)];
  const bool is_short = number % 2 == 0;
  const auto call = std::make_shared<Call<v1::FindPathRequest, v1::FindPathResponse>>();
  call->request.set_world(stage.link->name());
  stage.scene->fill_query(is_short, &call->request);
  const bool counts = meter_.counts(intended);
  if (counts) {
    ++tally_.queries;
    note_send(intended);
  }
  ++in_flight_;
  paths_->async()->FindPath(&call->context, &call->request, &call->response,
                            [this, call, is_short, intended, counts](const grpc::Status& status) {
                              const Nanos at = now();
                              inbox_.post([this, call, is_short, intended, counts, status, at] {
                                --in_flight_;
                                if (!status.ok()) return fail_call(status);
                                if (!counts) return;
                                Gauge& gauge =
                                    is_short ? tally_.short_queries : tally_.long_queries;
                                gauge.add(static_cast<std::uint64_t>((at - intended) / 1000));
                              });
                            });
}

void Run::on_end(int session, const grpc::Status& status) {
  fail(status.ok() ? "STREAM_ENDED" : code_of(status));
  sessions_[static_cast<std::size_t>(session)].is_open = false;
  // One stream may break; if all have broken, the server is gone.
  const bool all =
      std::none_of(sessions_.begin(), sessions_.end(), [](const Session& s) { return s.is_open; });
  if (all) lost_ = status.ok() ? grpc::Status(grpc::StatusCode::UNAVAILABLE, "") : status;
}

void Run::on_answer(int session, const v1::SessionResponse& answer, Nanos at) {
  Session& s = sessions_[static_cast<std::size_t>(session)];
  if (answer.has_opened()) {
    s.is_open = true;
  } else if (answer.has_batch()) {
    take_batch(s, answer.batch(), at);
  } else if (answer.has_rejected()) {
    fail(code_of(grpc::Status(static_cast<grpc::StatusCode>(answer.rejected().status().code()),
                              answer.rejected().status().message())));
  }
}

void Run::take_batch(Session& session, const v1::EventBatch& batch, Nanos at) {
  auto message = std::make_unique<Outgoing>();
  message->request->mutable_acknowledge()->set_batch_number(batch.batch_number());
  session.link->send(std::move(message));
  ++tally_.batches;
  for (const v1::PathEvent& event : batch.events()) take_event(session, event, at);
  const Kind kind = session.is_apart ? Kind::kSettledSlowly : Kind::kSettled;
  for (; session.settled < batch.settled_revision(); ++session.settled)
    meter_.heard(session.world, kind, session.settled + 1, at);
  waiting_ += batch.waiting() - session.waiting;
  session.waiting = batch.waiting();
  session.late = batch.late();
  session.coalesced = batch.coalesced();
  const std::uint64_t taken = std::max(batch.applied_sequence(), batch.taken_sequence());
  session.has_joined = session.has_joined || taken >= session.joined_at;
  second_waiting_ = std::max(second_waiting_, waiting_);
}

void Run::take_event(const Session& session, const v1::PathEvent& event, Nanos at) {
  session.squad->take(event);
  const auto type = static_cast<std::size_t>(event.type());
  if (type >= kEventTypes || at < from_ || from_ == 0) return;
  ++tally_.verdicts[type];
  if (options_.verify > 0 && dice_.chance(options_.verify / 100))
    stages_[static_cast<std::size_t>(session.world)].scene->keep(session.number, event);
  if (event.type() == v1::EVENT_TYPE_REMOVED || event.cause_revisions_size() == 0) return;
  tally_.waited_frames.add(event.waited_frames());
  if (session.is_apart) return;
  if (event.type() == v1::EVENT_TYPE_INVALIDATED) {
    meter_.heard(session.world, Kind::kInvalidated, event.cause_revisions(0), at);
  } else if (event.type() == v1::EVENT_TYPE_REPLANNED || event.type() == v1::EVENT_TYPE_IMPROVED) {
    meter_.heard(session.world, Kind::kReplanned, event.cause_revisions(0), at);
  }
}

void Run::poll_stats() {
  for (Stage& stage : stages_) {
    const auto call = std::make_shared<Call<v1::GetStatsRequest, v1::GetStatsResponse>>();
    call->request.set_world(stage.link->name());
    ++in_flight_;
    const auto callback = [this, call, &stage](const grpc::Status& status) {
      const Nanos at = now();
      inbox_.post([this, call, &stage, status, at] {
        --in_flight_;
        if (!status.ok()) return fail_call(status);
        stage.frames = call->response.frame();
        stage.frames_over_budget = call->response.frames_over_budget();
        stage.frame_p50_us = call->response.frame_us_p50();
        stage.frame_p99_us = call->response.frame_us_p99();
        if (at > from_ && stage.first_frames > 0) return;
        stage.first_frames = stage.frames;
        stage.first_over_budget = stage.frames_over_budget;
      });
    };
    debug_->async()->GetStats(&call->context, &call->request, &call->response, callback);
  }
}

void Run::end_second(Nanos at) {
  Second second;
  second.at = in_seconds(at - from_);
  second.events = tally_.events - last_second_.events;
  second.verdicts = tally_.all_verdicts() - last_second_.verdicts;
  second.positions = tally_.positions - last_second_.positions;
  second.errors = tally_.all_errors() - last_second_.errors;
  second.waiting = second_waiting_;
  const auto spread = [](const Histogram& us, auto& p50, auto& p99) {
    p50 = ms(us, 0.5);
    p99 = ms(us, 0.99);
  };
  spread(meter_.gauge(Kind::kInvalidated).second, second.invalidated_p50, second.invalidated_p99);
  spread(meter_.gauge(Kind::kReplanned).second, second.replanned_p50, second.replanned_p99);
  spread(meter_.gauge(Kind::kSettled).second, second.staleness_p50, second.staleness_p99);
  for (const Session& session : sessions_) {
    if (session.is_apart) continue;
    const Nanos open = meter_.oldest_open(session.world, session.settled, at);
    second.oldest_unsettled = std::max(second.oldest_unsettled, 1000 * in_seconds(open));
  }
  Histogram queries = tally_.short_queries.second;
  queries.add_all(tally_.long_queries.second);
  spread(queries, second.query_p50, second.query_p99);
  measure_machine(at, second);
  seconds_.push_back(second);
  last_second_.events = tally_.events;
  last_second_.verdicts = tally_.all_verdicts();
  last_second_.positions = tally_.positions;
  last_second_.errors = tally_.all_errors();
  second_waiting_ = 0;
  meter_.begin_second();
  tally_.short_queries.second.clear();
  tally_.long_queries.second.clear();
  while (next_second_ <= at) next_second_ += kSecond;
  poll_stats();
  tell(second);
}

// Measures CPU time since the last second ended, and the server's frames from its latest GetStats.
void Run::measure_machine(Nanos at, Second& second) {
  const Use use = use_now();
  const double passed = std::max(1e-3, in_seconds(at - last_second_at_));
  second.generator_cores = (use.own - last_use_.own) / passed;
  if (use.has_server) {
    second.server_cores = (use.server - last_use_.server) / passed;
    second.server_rss_mb = use.rss_mb;
    const double others = (use.machine - last_use_.machine) / passed;
    second.foreign_cores = std::max(0.0, others - *second.server_cores - second.generator_cores);
  }
  last_use_ = use;
  last_second_at_ = at;
  double p50 = 0;
  double p99 = 0;
  for (const Stage& stage : stages_) {
    p50 = std::max(p50, stage.frame_p50_us);
    p99 = std::max(p99, stage.frame_p99_us);
    second.frames += stage.frames;
    second.frames_over_budget += stage.frames_over_budget;
  }
  second.frame_p50 = p50 / 1000;
  second.frame_p99 = p99 / 1000;
}

void Run::tell(const Second& second) {
  const auto text = [](const std::optional<double>& value) {
    char number[32];
    std::snprintf(number, sizeof number, "%.1f", value.value_or(0));
    return value ? std::string(number) : std::string("-");
  };
  char at[32];
  std::snprintf(at, sizeof at, "%4.0f s", second.at);
  std::string line = std::string(at) + (second.at <= 0 ? " warming up" : "");
  if (options_.queries > 0) line += "  queries p99 " + text(second.query_p99) + " ms";
  if (options_.walks) {
    line += "  " + std::to_string(second.positions) + " positions, " +
            std::to_string(second.verdicts) + " verdicts; p99 ms: invalidated " +
            text(second.invalidated_p99) + ", replanned " + text(second.replanned_p99) +
            ", stale " + text(second.staleness_p99) + "; waiting " + std::to_string(second.waiting);
  }
  line += "  server " + text(second.server_cores) + " cores";
  if (second.errors > 0) line += "  " + std::to_string(second.errors) + " ERRORS";
  progress_.show(line);
}

}  // namespace repath::load
