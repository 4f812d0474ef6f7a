// Run: the open loop.
#include "load/run.h"

#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <csignal>
#include <limits>
#include <thread>

namespace repath::load {
namespace {

constexpr std::uint64_t kSlots = 16;  // of a frame
constexpr Nanos kLate = kSecond / 1000;
constexpr int kUpsertsInFrame = 4096;  // agents in a message, by the API
constexpr int kReportMost = 16'384;    // positions, likewise
constexpr Nanos kHeadStart = kSecond / 50;
constexpr Nanos kNever = std::numeric_limits<Nanos>::max();

volatile std::sig_atomic_t load_interruption = 0;
void on_load_interrupt(int) { load_interruption = 1; }

double thread_cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double own_cpu_seconds() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return of(use.ru_utime) + of(use.ru_stime);
}

}  // namespace

void Run::plan(Nanos start) {
  start_ = start;
  from_ = start + nanos(options_.warm_up);
  to_ = from_ + nanos(options_.duration);
  period_ = nanos(1 / options_.frame_rate);
  storm_end_ = from_ + nanos(options_.storm_seconds);
  next_second_ = start + kSecond;
  last_second_at_ = start;
  meter_.set_window(from_, to_);
  for (Session& session : sessions_) session.walked = start;
}

bool Run::drive() {
  // An interrupt from the keyboard ends the run early. It still reports the figures so far and
  // deletes its worlds.
  std::signal(SIGINT, on_load_interrupt);
  plan(now() + kHeadStart);
  last_use_ = use_now();
  poll_stats();
  std::uint64_t slot = 0;
  for (;;) {
    const Nanos due = start_ + static_cast<Nanos>(slot) * period_ / static_cast<Nanos>(kSlots);
    send_all_due_until(due);
    inbox_.work_off();
    if (has_lost_server()) {
      progress_.clear();
      context_.refused(lost_);
      return false;
    }
    play_slot(slot++, due);
    // If several frames are overdue, only the last is played; no frame is made up for.
    if (const Nanos behind = now() - due; behind > 2 * period_) {
      const auto left_out = static_cast<std::uint64_t>(behind / period_) - 1;
      tally_.frames_late += sessions_.size() * left_out;
      slot += left_out * kSlots;
    }
    if (now() >= next_second_) end_second(now());
    if (!calm_after_ && now() > storm_end_ && in_flight_changes_ == 0 && all_settled())
      calm_after_ = in_seconds(now() - storm_end_);
    if (is_over(now())) break;
  }
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    const Session& session = sessions_[i];
    unsettled_ +=
        meter_.give_up(session.world, session.is_apart ? Kind::kSettledSlowly : Kind::kSettled,
                       session.settled, now());
  }
  seconds_measured_ = std::max(0.0, in_seconds(std::min(now(), to_) - from_));
  progress_.clear();
  return true;
}

// Sends changes and queries when they are due, between slots.
void Run::send_all_due_until(Nanos until) {
  for (;;) {
    const Nanos next = std::min(send_due_events(now()), send_due_queries(now()));
    if (now() >= until) return;
    std::this_thread::sleep_until(
        std::chrono::steady_clock::time_point(std::chrono::nanoseconds(std::min(next, until))));
  }
}

bool Run::is_over(Nanos at) {
  if (load_interruption != 0) return true;
  if (at < to_) return false;
  const bool is_calm = in_flight_ == 0 && all_settled();
  return is_calm || at > to_ + nanos(options_.drain);
}

bool Run::all_settled() const {
  return std::all_of(sessions_.begin(), sessions_.end(), [this](const Session& session) {
    return session.settled >= meter_.last_revision(session.world);
  });
}

void Run::play_slot(std::uint64_t number, Nanos due) {
  if (sessions_.empty()) return;
  const double began = thread_cpu_seconds();
  for (std::size_t i = number % kSlots; i < sessions_.size(); i += kSlots) {
    Session& session = sessions_[i];
    play(session, due);
    const auto frame = number / kSlots;
    if (session.reads_slowly && frame % static_cast<std::uint64_t>(options_.slowness) == 0)
      session.link->allow_read();
  }
  tally_.frame_cpu_seconds += thread_cpu_seconds() - began;
}

// Plays one frame of one session: all agents walk, and changes are reported.
void Run::play(Session& session, Nanos due) {
  ++tally_.frames_sent;
  if (now() - due > period_) ++tally_.frames_late;
  session.squad->advance(in_seconds(due - session.walked));
  session.walked = due;
  // While a message is unwritten, later news waits and goes out together.
  if (!session.squad->has_news() || session.link->backlog() > 0) return;
  auto message = std::make_unique<Outgoing>();
  if (session.squad->fill_removals(message->request->mutable_remove(), kReportMost)) {
    session.link->send(std::move(message));
    message = std::make_unique<Outgoing>();
  }
  if (session.squad->fill_upserts(message->request->mutable_upsert(), kUpsertsInFrame)) {
    tally_.upserts += static_cast<std::uint64_t>(message->request->upsert().agents_size());
    session.link->send(std::move(message));
    message = std::make_unique<Outgoing>();
  }
  while (session.squad->fill_report(message->request->mutable_report(), kReportMost)) {
    const int positions = message->request->report().positions_size();
    ++tally_.reports;
    tally_.positions += static_cast<std::uint64_t>(positions);
    session.link->send(std::move(message));
    if (positions < kReportMost) break;
    message = std::make_unique<Outgoing>();
  }
}

Nanos Run::send_due_events(Nanos at) {
  Nanos next = kNever;
  if (options_.events + options_.storm_events <= 0) return next;
  for (int world = 0; world < options_.worlds; ++world) {
    Stage& stage = stages_[static_cast<std::size_t>(world)];
    const LoadOptions& asked = asked_[static_cast<std::size_t>(world)];
    const Schedule& events = is_slow_world(world) ? slow_events_ : events_;
    const double rate = std::max(asked.events, asked.storm_events);
    // Worlds are not in step: each has its share of the time between two events.
    const Nanos phase = nanos(world / rate / options_.worlds);
    while (const auto due = events.due(stage.next_event)) {
      const Nanos intended = start_ + *due + phase;
      next = std::min(next, intended);
      if (intended > at) break;
      ++stage.next_event;
      send_event(world, intended);
    }
  }
  return next;
}

Nanos Run::send_due_queries(Nanos at) {
  Nanos next = kNever;
  if (options_.queries <= 0) return next;
  for (int world = 0; world < options_.worlds; ++world) {
    Stage& stage = stages_[static_cast<std::size_t>(world)];
    const Nanos phase = nanos(world / options_.queries / options_.worlds);
    while (const auto due = queries_.due(stage.next_query)) {
      const Nanos intended = start_ + *due + phase;
      next = std::min(next, intended);
      if (intended > at) break;
      send_query(world, stage.next_query++, intended);
    }
  }
  return next;
}

void Run::note_send(Nanos intended) {
  const Nanos late = std::max<Nanos>(0, now() - intended);
  tally_.late_sends_us.add(static_cast<std::uint64_t>(late / 1000));
  if (late > kLate) ++tally_.late_sends;
}

Run::Use Run::use_now() const {
  Use use;
  use.own = own_cpu_seconds();
  use.machine = machine_cpu_seconds().value_or(0);
  if (server_pid_) {
    if (const auto server = use_of(*server_pid_)) {
      use.server = server->cpu_seconds;
      use.rss_mb = server->rss_mb;
      use.has_server = true;
    }
  }
  return use;
}

Checked Run::check() {
  Checked checked;
  if (options_.verify <= 0) return checked;
  progress_.show("checking verdicts", true);
  const Nanos begin = now();
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    // Each world has its share of the time, and the rest of earlier shares.
    const double share = static_cast<double>(i + 1) / static_cast<double>(stages_.size());
    checked.add(stages_[i].scene->check(begin + nanos(options_.verify_seconds * share)));
  }
  progress_.clear();
  return checked;
}

SquadCounts Run::counts() const {
  SquadCounts all;
  for (const Session& session : sessions_) {
    const SquadCounts& one = session.squad->counts();
    all.arrivals += one.arrivals;
    all.moves += one.moves;
    all.barred += one.barred;
    all.strays += one.strays;
  }
  return all;
}

std::uint64_t Run::coalesced() const {
  std::uint64_t all = 0;
  for (const Session& session : sessions_) all += session.coalesced;
  return all;
}

}  // namespace repath::load
