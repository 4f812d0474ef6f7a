#include "verify/route_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "verify/file_kind.h"
#include "verify/graph_model.h"
#include "verify/mesh_fetch.h"

namespace repath::verify {
namespace {

constexpr int kRouteJoinAtOnce = 100;
constexpr std::uint64_t kRouteAmpleBudget = 2'000'000;  // work units
constexpr int kRouteSettleFrames = 3000;
constexpr int kRouteSearchesEach = 4;     // after an event
constexpr int kRouteFullCheckEvery = 20;  // events
constexpr double kRouteMoves = 0.3;       // share of the agents that walk in a turn
constexpr std::chrono::seconds kRoutePatience{60};

constexpr double kMadeFor = 0.25;  // radius, world units

// Agents of four kinds: narrower and wider than most meshes were made for, and of two teams.
std::vector<MeshView> clearance_views() {
  return {{"default", 0, 0}, {"r1", 0.4, 0}, {"r2", 0.8, 0}, {"r2", 0.8, 1}};
}

// The profiles of the agents, and their teams. With `turns` all but the default profile have a
// turning radius.
std::vector<MeshView> views_for(const VerifyOptions& options) {
  constexpr double kTurningRadius = 0.5;  // world units
  std::vector<MeshView> views{MeshView{}};
  if (options.clearance) views = clearance_views();
  if (options.turns && !options.clearance) views = {{"default"}, {"car"}, {"lorry"}};
  if (options.turns)
    for (MeshView& view : views)
      if (view.profile != "default")
        view.turning_radius = view.profile == "lorry" ? 4 * kTurningRadius : kTurningRadius;
  // In Recast's demonstration flag 2 means water, and flag 4 doors.
  if (options.flags) {
    views.push_back({.profile = "dry", .exclude_flags = 2});
    views.push_back({.profile = "keyless", .exclude_flags = 4});
    views.push_back({.profile = "neither", .exclude_flags = 6});
  }
  return views;
}

bool is_graph_file(const std::string& file) { return kind_of_file(file) == FileKind::kGraph; }

// Returns whether the file is an OBJ file, whose mesh is built for agents of a radius anyway.
bool is_triangles(const std::string& file) {
  return file.find("\nf ") != std::string::npos && file.find("v ") != std::string::npos;
}

void fill(const Spot& at, v1::Location* out) {
  out->mutable_position()->set_x(at.x);
  out->mutable_position()->set_y(at.y);
  out->mutable_position()->set_z(at.z);
}

void fill(const GraphWalker& walker, v1::Profile* out) {
  out->set_name(walker.name);
  out->set_radius(walker.radius);
  out->set_exclude_flags(walker.exclude);
  for (const auto& [area, factor] : walker.factors) {
    out->add_area_costs()->set_area(area);
    out->mutable_area_costs()->rbegin()->set_factor(factor);
  }
}

}  // namespace

RouteRun::RouteRun(const VerifyOptions& options, cli::CommandContext& context)
    : options_(options),
      context_(context),
      tally_(options.seed, options.traced),
      dice_(options.seed),
      link_(context.channel(), "verify", options.restart_s),
      comeback_(options.restart_s, context, tally_) {}

bool RouteRun::begin(const std::string& file) {
  v1::CreateWorldRequest request;
  request.mutable_options()->set_lockstep(true);
  request.mutable_options()->set_strategy(options_.strategy);
  const GraphEdits edits{options_.kinds, options_.clearance, options_.goals};
  const std::vector<MeshView> views = views_for(options_);
  if (is_graph_file(file)) {
    for (const GraphWalker& walker : walkers_for(edits))
      if (walker.name != "default") fill(walker, request.add_profiles());
  } else {
    for (const MeshView& view : views)
      if (view.profile != "default" && view.team == 0) {
        fill({.name = view.profile, .radius = view.radius}, request.add_profiles());
        request.mutable_profiles()->rbegin()->set_turning_radius(view.turning_radius);
        request.mutable_profiles()->rbegin()->set_exclude_flags(view.exclude_flags);
      }
  }
  // In every second run the mesh counts as made for agents of some radius.
  const bool has_base =
      options_.clearance && options_.seed % 2 == 1 && !is_triangles(file) && !is_graph_file(file);
  v1::World made;
  if (!context_.accepted(link_.import_map(file, std::move(request), made, has_base ? kMadeFor : 0)))
    return false;
  if (!comeback_.begin(made)) return false;
  if (is_graph_file(file)) {
    if (!read_graph(file, edits)) return false;
  } else {
    grpc::Status status;
    model_ = fetch_mesh(link_, {views, made.base_radius(), options_.ground}, &status);
    if (!context_.accepted(status)) return false;
  }
  session_ =
      std::make_unique<SessionLink>(context_.channel(), link_.name(), comeback_.session_ttl_ms());
  if (!session_->opened()) {
    context_.refused(session_->finish());
    return false;
  }
  judge_ = std::make_unique<RouteJudge>(*model_, agents_, tally_, dice_);
  return join() && settle(false);
}

bool RouteRun::read_graph(const std::string& file, const GraphEdits& edits) {
  try {
    auto graph = std::make_unique<GraphModel>(file, edits);
    if (!graph->has_nodes())
      context_.usage_error(options_.map + ": has no node where an agent could be");
    else
      model_ = std::move(graph);
  } catch (const nlohmann::json::exception& error) {
    context_.usage_error(options_.map + ": " + error.what());
  }
  return model_ != nullptr;
}

v1::Agent RouteRun::describe(const RouteAgent& agent) const {
  v1::Agent message;
  message.set_id(agent.id);
  message.set_profile(model_->profile(agent.view));
  message.set_team(model_->team(agent.view));
  fill(agent.at, message.mutable_position());
  for (const Spot& goal : agent.goals) fill(goal, message.add_goals());
  message.set_allow_partial(agent.partial);
  message.set_min_improvement_ratio(agent.ratio);
  message.set_curves(agent.curves);
  return message;
}

bool RouteRun::join() {
  v1::SessionRequest request;
  for (int i = 1; i <= options_.agents; ++i) {
    RouteAgent agent;
    agent.id = static_cast<std::uint64_t>(i);
    agent.view = dice_.below(model_->views());
    agent.at = model_->some_place(agent.view, dice_);
    agent.reported = agent.at;
    agent.goals = some_goals(agent.view);
    agent.partial = options_.goals && dice_.chance(0.4);
    if (dice_.chance(0.2)) agent.ratio = 0.1;
    agent.curves = model_->turning_radius(agent.view) > 0 && dice_.chance(0.8);
    *request.mutable_upsert()->add_agents() = describe(agent);
    agents_.emplace(agent.id, agent);
    if (i % kRouteJoinAtOnce != 0 && i != options_.agents) continue;
    upsert(std::exchange(request, {}));
    bool settled = false;
    if (!tick(kRouteAmpleBudget, &settled)) return false;
  }
  return true;
}

// Returns goals of an agent. With `goals` it may have two that are close to each other: if a node
// of theirs shuts, one node stands for both.
std::vector<Spot> RouteRun::some_goals(int view) {
  std::vector<Spot> goals{model_->some_place(view, dice_)};
  if (!options_.goals || dice_.chance(0.3)) return goals;
  goals.push_back(model_->place_beside(view, goals[0]));
  if (goals[1] == goals[0]) goals.pop_back();
  return goals;
}

bool RouteRun::drive() {
  cli::Progress progress("verifying");
  for (int number = 1; number <= options_.events; ++number) {
    if (!one_event(number)) return false;
    progress.show(static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(options_.events),
                  std::to_string(tally_.wrong + tally_.missed_improvements + tally_.invalid_paths) +
                      " defects");
  }
  return settle(true) && context_.accepted(link_.repairs(tally_.repairs));
}

bool RouteRun::one_event(int number) {
  tally_.events = static_cast<std::uint64_t>(number);
  // A change must not overtake the agents' reports.
  if (!arrive()) return false;
  const v1::ChangeBatch batch = model_->next_change(hurting_spots(), dice_);
  v1::ApplyChangesRequest request;
  *request.mutable_batch() = batch;
  request.set_request_id("event-" + std::to_string(number));
  v1::ApplyChangesResponse answer;
  if (!call([&] { return link_.apply(request, answer); })) return false;
  if (answer.incarnation() > 0 && answer.durable_revision() < answer.revision())
    tally_.add(Defect::kWrong, 0, "ApplyChanges answered before its change was on the disk");
  if (answer.revision() != revision_ + 1)
    tally_.add(Defect::kWrong, 0,
               "ApplyChanges gave revision " + std::to_string(answer.revision()) + ", not " +
                   std::to_string(revision_ + 1));
  revision_ = answer.revision();
  std::string failure;
  if (!model_->take(batch, revision_, &failure)) {
    context_.check_failed("the model has no such change: " + failure);
    return false;
  }
  judge_->grant(kRouteSearchesEach);
  static const std::vector<std::uint64_t> budgets{64, 1'000, 20'000, kRouteAmpleBudget};
  for (int frames = dice_.between(0, 3); frames > 0; --frames) {
    bool settled = false;
    if (!tick(dice_.pick(budgets), &settled)) return false;
    walk();
  }
  if (number % kRouteFullCheckEvery == 0) return settle(true);
  return dice_.chance(0.3) || settle(false);
}

// Runs frames until no agent waits, then checks silence against the model.
bool RouteRun::settle(bool all) {
  bool settled = false;
  for (int i = 0; i < kRouteSettleFrames && !settled; ++i)
    if (!tick(kRouteAmpleBudget, &settled)) return false;
  if (settled) comeback_.settled();
  if (!settled) tally_.unsettled = std::max<std::uint64_t>(1, waiting_);
  if (all) judge_->grant(options_.agents);
  judge_->check_silence(revision_, all);
  model_->forget_before(revision_);
  return true;
}

// Sends a message that is refused: its refusal proves that earlier messages were taken in.
bool RouteRun::arrive() {
  for (;;) {
    v1::SessionRequest request;
    request.mutable_acknowledge()->set_batch_number(std::numeric_limits<std::uint64_t>::max());
    const std::uint64_t refused = session_->send(std::move(request));
    while (const auto answer = session_->next(kRoutePatience)) {
      if (answer->has_rejected() && answer->rejected().sequence() == refused) return true;
      take(*answer);
    }
    if (!come_back(session_->finish())) return false;
  }
}

// Makes a call, and makes it once more after each restart of the server. Agents stand at older
// positions then, until it has taken in what come_back() reports; a change must not overtake that.
template <class Call>
bool RouteRun::call(Call make) {
  for (;;) {
    const grpc::Status status = make();
    if (status.ok()) return true;
    if (!come_back(status) || !arrive()) return false;
  }
}

// Sends questions of agents and notes with which message.
void RouteRun::upsert(v1::SessionRequest request) {
  std::vector<std::uint64_t> ids;
  for (const v1::Agent& agent : request.upsert().agents()) ids.push_back(agent.id());
  const std::uint64_t sequence = session_->send(std::move(request));
  for (const std::uint64_t id : ids) agents_.at(id).asked_in = sequence;
}

// Goes on after a restart of the server: opens the session again, forgets all verdicts, and says
// again what is not on the server's disk. Positions may be lost in any case.
bool RouteRun::come_back(const grpc::Status& broken) {
  const auto opened = comeback_.reopen(broken, &session_, revision_, /*is_durable=*/durable_ > 0);
  if (!opened) return false;
  if (!opened->resumed()) durable_ = 0;
  last_read_ = 0;
  v1::SessionRequest added;
  v1::SessionRequest reported;
  const auto flush = [this](v1::SessionRequest* request, int count) {
    if (count < kRouteJoinAtOnce) return;
    request->has_upsert() ? upsert(std::exchange(*request, {}))
                          : void(session_->send(std::exchange(*request, {})));
  };
  for (auto& [id, agent] : agents_) {
    agent.held.Clear();
    agent.reported.reset();
    agent.has_verdict = agent.broken = false;
    agent.next = 1;
    agent.asked_at = revision_;
    if (agent.asked_in > durable_) {
      *added.mutable_upsert()->add_agents() = describe(agent);
    } else {
      v1::AgentPosition& position = *reported.mutable_report()->add_positions();
      position.set_id(id);
      fill(agent.at, position.mutable_position());
    }
    flush(&added, added.upsert().agents_size());
    flush(&reported, reported.report().positions_size());
  }
  if (added.has_upsert()) upsert(std::move(added));
  if (reported.has_report()) session_->send(std::move(reported));
  return true;
}

// Lets the server plan a frame, and reads all that it has sent by the frame's end.
bool RouteRun::play_frame(std::uint64_t budget, v1::TickResponse& answer) {
  for (;;) {
    if (!arrive()) return false;
    const grpc::Status status = session_->tick(budget, answer);
    if (!status.ok()) {
      if (!come_back(status)) return false;
      continue;
    }
    while (last_read_ < answer.last_batch_number()) {
      const auto part = session_->next(kRoutePatience);
      if (!part) break;
      take(*part);
    }
    if (last_read_ >= answer.last_batch_number()) return true;
    if (!come_back(session_->finish())) return false;
  }
}

bool RouteRun::tick(std::uint64_t budget, bool* settled) {
  v1::TickResponse answer;
  if (!play_frame(budget, answer)) return false;
  waiting_ = answer.backlog();
  tally_.late = std::max(tally_.late, answer.late());
  *settled = answer.settled_revision() == revision_ && answer.backlog() == 0;
  if (answer.settled_revision() > 0) judge_->check_named(answer.settled_revision());
  v1::SessionRequest request;
  request.mutable_acknowledge()->set_batch_number(last_read_);
  if (last_read_ > 0) session_->send(std::move(request));
  return true;
}

void RouteRun::take(const v1::SessionResponse& answer) {
  if (answer.has_rejected()) {
    tally_.add(Defect::kWrong, 0,
               "a message was rejected: " + answer.rejected().status().message());
  } else if (answer.has_unknown()) {
    tally_.add(Defect::kWrong, answer.unknown().agent_ids(0), "the server does not know the agent");
  } else if (answer.has_batch()) {
    last_read_ = answer.batch().batch_number();
    durable_ = std::max(durable_, answer.batch().applied_sequence());
    for (const v1::PathEvent& event : answer.batch().events()) judge_->on_event(event);
  }
}

// Moves some agents along their paths; agents that have arrived get another goal.
void RouteRun::walk() {
  v1::SessionRequest report;
  v1::SessionRequest changed;
  for (auto& [id, agent] : agents_) {
    if (!agent.holds_path() || agent.held.type() == v1::EVENT_TYPE_START_BLOCKED) continue;
    if (!dice_.chance(kRouteMoves)) continue;
    step(&agent, 0.3 + 3 * dice_.unit(), &report);
    const auto waypoints = static_cast<std::size_t>(agent.held.path().positions_size()) / 3;
    if (agent.next < waypoints || !dice_.chance(0.3)) continue;
    std::vector<Spot> goals = some_goals(agent.view);
    if (std::ranges::is_permutation(goals, agent.goals)) continue;  // it would keep its verdict
    agent.goals = std::move(goals);
    agent.has_verdict = false;
    agent.asked_at = revision_;
    *changed.mutable_upsert()->add_agents() = describe(agent);
  }
  if (report.has_report()) session_->send(std::move(report));
  if (changed.has_upsert()) upsert(std::move(changed));
}

void RouteRun::step(RouteAgent* agent, double length, v1::SessionRequest* report) {
  const Walk walk = walk_of(agent->held.path());
  while (agent->next < walk.points.size() && length > 0) {
    const Spot& to = walk.points[agent->next];
    const double left = plane_distance(agent->at, to);
    const bool is_link = !walk.links.empty() && walk.links[agent->next - 1] != 0;
    if (left <= length || is_link || !walk.nodes.empty()) {
      agent->at = to;
      ++agent->next;
      length -= left;
      continue;
    }
    const double t = length / left;
    agent->at.x += t * (to.x - agent->at.x);
    agent->at.z += t * (to.z - agent->at.z);
    agent->at.y += t * (to.y - agent->at.y);
    agent->at = model_->settled_at(agent->view, revision_, agent->at);
    length = 0;
  }
  agent->reported = agent->at;
  v1::AgentPosition* position = report->mutable_report()->add_positions();
  position->set_id(agent->id);
  position->set_path_version(agent->held.path_version());
  v1::Location place;
  fill(agent->at, &place);
  *position->mutable_position() = place;
}

// Returns places on paths, near agents and near goals.
std::vector<Spot> RouteRun::hurting_spots() {
  std::vector<Spot> spots;
  for (int i = 0; i < 8; ++i) {
    auto it = agents_.begin();
    std::advance(it, dice_.below(static_cast<int>(agents_.size())));
    const RouteAgent& agent = it->second;
    const Walk walk = walk_of(agent.held.path());
    if (walk.points.size() < 2 || (options_.goals && dice_.chance(0.3))) {
      spots.push_back(options_.goals ? dice_.pick(agent.goals) : agent.goals.front());
      continue;
    }
    const auto k =
        static_cast<std::size_t>(dice_.between(1, static_cast<int>(walk.points.size()) - 1));
    const double t = dice_.unit();
    const Spot& a = walk.points[k - 1];
    const Spot& b = walk.points[k];
    spots.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)});
  }
  return spots;
}

}  // namespace repath::verify
