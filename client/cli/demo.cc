#include "cli/demo.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <thread>

#include "repath/v1/world.grpc.pb.h"

namespace repath::cli {
namespace {

constexpr std::size_t kNotes = 8;
constexpr int kLinesEach = 3;
constexpr auto kPatience = std::chrono::seconds(10);

volatile std::sig_atomic_t interruption = 0;
void on_interrupt(int) { interruption = 1; }

std::string milliseconds(double us) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f ms", us / 1e3);
  return text;
}

std::vector<client::Location> locations(const std::vector<client::Cell>& cells) {
  return {cells.begin(), cells.end()};
}

std::string line_of(const client::PathEvent& event) {
  std::string line = "agent " + std::to_string(event.agent_id) + " at " +
                     std::to_string(event.cell.x) + "," + std::to_string(event.cell.y) + ": " +
                     client::name_of(event.type);
  char lengths[64] = "";
  if (event.type == client::EventType::kImproved) {
    std::snprintf(lengths, sizeof lengths, ", length %.2f -> %.2f", event.old_cost, event.cost);
  } else if (event.type == client::EventType::kReplanned ||
             event.type == client::EventType::kNewPath) {
    std::snprintf(lengths, sizeof lengths, ", length %.2f", event.cost);
  }
  line += lengths;
  if (!event.cause_obstacles.empty())
    line += ", by obstacle " + std::to_string(event.cause_obstacles.back());
  return line;
}

}  // namespace

double Latencies::percentile(double share) const {
  std::vector<double> sorted = us_;
  const auto at = static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5);
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(at), sorted.end());
  return sorted[at];
}

Json Latencies::json() const {
  if (us_.empty()) return {{"p50", nullptr}, {"p99", nullptr}};
  return {{"p50", percentile(0.5)}, {"p99", percentile(0.99)}};
}

std::string Latencies::text() const {
  if (us_.empty()) return "none yet";
  return "p50 " + milliseconds(percentile(0.5)) + ", p99 " + milliseconds(percentile(0.99));
}

void add_demo_options(CLI::App& command, DemoOptions& options) {
  command.add_option("--agents", options.agents, "Number of agents, 1 to 100000")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  command.add_option("--changes", options.changes, "Number of changes, 1 to 1000000")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  command.add_option("--seed", options.seed, "Seed of the random choices")->capture_default_str();
  command.add_option(
      "--frame-ms", options.frame_ms,
      "Time for one step of all agents, in milliseconds (default 0: 60 on a terminal, else 4)");
}

Demo::Demo(CommandContext& context, const DemoOptions& options)
    : context_(context),
      options_(options),
      drawing_(stdout_is_terminal() && !context.json),
      random_(options.seed),
      client_(context.server, {.security = context.security()}) {}

Demo::~Demo() {
  session_.reset();
  if (!world_.empty()) (void)client_.delete_world(world_).get();
  if (drawing_) std::cout << "\x1b[?25h" << std::flush;
}

bool Demo::begin(const std::string& kind, std::int32_t width, std::int32_t height) {
  grpc::ClientContext call;  // Fails at once where no server is; the library would try for a while.
  v1::ListWorldsResponse worlds;
  if (!context_.accepted(context_.stub<v1::WorldService>()->ListWorlds(&call, {}, &worlds)))
    return false;

  client::NewWorld wanted;
  wanted.name = "demo-" + kind + "-" + std::to_string(::getpid());
  wanted.width = width;
  wanted.height = height;
  const auto made = client_.create_world(wanted).get();
  if (!made.ok()) {
    context_.refused(made.error());
    return false;
  }
  world_ = wanted.name;
  revision_ = made->revision;
  client::SessionHandlers handlers;
  handlers.on_event = [this](const client::PathEvent& event) { take(event); };
  handlers.on_rejected = [this](std::uint64_t, const client::Error& error) {
    context_.refused(error);
  };
  session_ = client_.open_session({.world = world_}, std::move(handlers));
  std::signal(SIGINT, on_interrupt);
  if (drawing_) std::cout << "\x1b[2J\x1b[?25l";
  return true;
}

bool Demo::interrupted() { return interruption != 0; }

std::optional<client::Applied> Demo::apply(client::ChangeBatch batch,
                                           client::ApplyOptions options) {
  std::optional<client::Result<client::Applied>> answer;
  ground_.change(batch);
  lines_left_ = kLinesEach;
  const auto sent = Clock::now();
  client_.apply(world_, std::move(batch), options)
      .then([&](client::Result<client::Applied> result) { answer = std::move(result); });
  while (!answer.has_value()) client_.poll(std::chrono::milliseconds(5));
  if (!answer->ok()) {
    context_.refused(answer->error());
    return std::nullopt;
  }
  ++changes_;
  revision_ = (*answer)->revision;
  sent_at_[revision_] = sent;
  time_verdicts();
  return answer->value();
}

std::optional<client::Tested> Demo::test(client::ChangeBatch batch,
                                         std::vector<client::Pair> pairs) {
  auto answer = client_.test(world_, std::move(batch), std::move(pairs)).get();
  if (answer.ok()) return answer.value();
  context_.refused(answer.error());
  return std::nullopt;
}

void Demo::send_agent(std::uint64_t id, client::Cell at, std::vector<client::Cell> goals) {
  client::Agent agent;
  agent.id = id;
  agent.position = at;
  agent.goals = locations(goals);
  walkers_.set(id, at, std::move(goals));
  last_call_ = session_->upsert({std::move(agent)});
}

void Demo::remove_agent(std::uint64_t id) {
  walkers_.remove(id);
  last_call_ = session_->remove({id});
}

bool Demo::clear_out(const client::CellRect& cells) {
  std::vector<std::uint64_t> inside;
  for (const auto& [id, walker] : walkers_.all()) {
    const client::Cell at = walker.at;
    if (at.x >= cells.x0 && at.x < cells.x1 && at.y >= cells.y0 && at.y < cells.y1)
      inside.push_back(id);
  }
  if (inside.empty()) return true;
  for (const std::uint64_t id : inside)
    walkers_.put(id, {cells.x0 - 1, walkers_.all().at(id).at.y});
  last_call_ = session_->report(walkers_.positions());
  return settle();
}

void Demo::take(const client::PathEvent& event) {
  ++verdicts_;
  ++by_type_[event.type];
  walkers_.take(event);
  if (!event.cause_revisions.empty()) {
    untimed_.push_back({event.cause_revisions.back(), event.type, Clock::now()});
    time_verdicts();
  }
  const bool news = event.reason != client::EventReason::kNewAgent &&
                    event.reason != client::EventReason::kAgentChanged &&
                    event.reason != client::EventReason::kRecovered;
  if (news && event.type != client::EventType::kRemoved) note(line_of(event));
}

void Demo::time_verdicts() {
  std::erase_if(untimed_, [this](const Untimed& verdict) {
    const auto sent = sent_at_.find(verdict.revision);
    if (sent == sent_at_.end()) return false;
    const double us =
        std::chrono::duration<double, std::micro>(verdict.arrived - sent->second).count();
    latencies_.add(us);
    if (verdict.type == client::EventType::kInvalidated) invalidated_.add(us);
    return true;
  });
}

void Demo::note(std::string line) {
  if (!drawing_ && !context_.json && lines_left_-- > 0) std::cout << "  " << line << '\n';
  notes_.push_back(std::move(line));
  if (notes_.size() > kNotes) notes_.pop_front();
}

std::vector<std::uint64_t> Demo::frame() {
  const auto end =
      Clock::now() + std::chrono::milliseconds(options_.frame_ms > 0 ? options_.frame_ms
                                               : drawing_            ? 60
                                                                     : 4);
  auto arrivals = walkers_.step(ground_);
  last_call_ = session_->report(walkers_.positions());
  for (auto now = Clock::now(); now < end; now = Clock::now()) {
    client_.poll(std::chrono::duration_cast<std::chrono::microseconds>(end - now));
  }
  return arrivals;
}

bool Demo::settle() {
  const auto end = Clock::now() + kPatience;
  while (session_->settled_revision() < revision_ || session_->applied() < last_call_) {
    if (session_->state() == client::SessionState::kClosed || Clock::now() > end) {
      context_.check_failed("not settled at revision " + std::to_string(revision_) +
                            " after ten seconds, only at " +
                            std::to_string(session_->settled_revision()));
      return false;
    }
    client_.poll(std::chrono::milliseconds(5));
  }
  return true;
}

bool Demo::check(std::size_t most) {
  std::vector<std::pair<std::uint64_t, std::future<client::Result<client::Path>>>> asked;
  auto at = walkers_.all().lower_bound(next_to_check_);
  for (std::size_t looked = 0; looked < walkers_.all().size() && asked.size() < most;
       ++looked, ++at) {
    if (at == walkers_.all().end()) at = walkers_.all().begin();
    if (at->second.arrived) continue;
    client::PathQuery query;
    query.world = world_;
    query.from = at->second.at;
    query.goals = locations(at->second.goals);
    query.min_revision = revision_;
    asked.emplace_back(at->first, client_.find_path(std::move(query)).future());
    next_to_check_ = at->first + 1;
  }
  for (auto& [id, answer] : asked) {
    const auto path = answer.get();
    if (!path.ok()) {
      context_.refused(path.error());
      return false;
    }
    ++checked_;
    const Walker& walker = walkers_.all().at(id);
    const double rest = rest_of_way(walker);
    const bool has_way = !walker.way.empty();
    if (has_way == (path->status == client::PathStatus::kComplete) &&
        (!has_way || std::abs(rest - path->cost) <= 1e-5 * (1 + rest))) {
      continue;
    }
    context_.check_failed("agent " + std::to_string(id) + " at " + std::to_string(walker.at.x) +
                          "," + std::to_string(walker.at.y) + " has " +
                          (has_way ? "a way of " + std::to_string(rest) : std::string("no way")) +
                          ", but FindPath says " + client::name_of(path->status) + " " +
                          std::to_string(path->cost) + " at revision " +
                          std::to_string(path->revision));
    return false;
  }
  return true;
}

void Demo::show(const std::string& title, const std::string& picture) {
  if (!drawing_) return;
  // Without line wrap while it is drawn: a line longer than the terminal is wide would push the
  // picture up.
  std::string text = "\x1b[?7l\x1b[H" + title + "\x1b[K\n" + picture + "verdicts " +
                     std::to_string(verdicts_) +
                     ", from the change sent to the verdict here: " + latency_text() + "\x1b[K\n";
  for (const std::string& line : notes_) text += "  " + line + "\x1b[K\n";
  std::cout << text << "\x1b[J\x1b[?7h" << std::flush;
}

std::string Demo::latency_text() const {
  return "INVALIDATED " + invalidated_.text() + "; all " + latencies_.text();
}

Json Demo::json(std::uint64_t reached) const {
  Json types = Json::object();
  for (const auto& [type, count] : by_type_) types[client::name_of(type)] = count;
  return {{"events", changes_},
          {"verdicts", verdicts_},
          {"verdict_us", latencies_.json()},
          {"invalidated_us", invalidated_.json()},
          {"reached", reached},
          {"agents", options_.agents},
          {"checked", checked_},
          {"by_type", types},
          {"seed", options_.seed}};
}

std::uint64_t Demo::verdicts_of(client::EventType type) const {
  const auto at = by_type_.find(type);
  return at == by_type_.end() ? 0 : at->second;
}

}  // namespace repath::cli
