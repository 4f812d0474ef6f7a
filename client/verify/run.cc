#include "verify/run.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "verify/protocol.h"

namespace repath::verify {
namespace {

constexpr int kJoinAtOnce = 50;
constexpr int kFullCheckEvery = 20;              // events
constexpr int kSettleFrames = 200;               // between events
constexpr int kLastFrames = 5000;                // at the end
constexpr std::uint64_t kAmpleBudget = 500'000;  // work units
constexpr std::size_t kWholeBytes = 128 << 10;   // a smaller batch has emptied the server's outbox
constexpr std::uint64_t kUnacknowledgedMax = 6;  // empty batches
constexpr std::chrono::seconds kPatience{60};

}  // namespace

Run::Run(const VerifyOptions& options, cli::CommandContext& context)
    : options_(options),
      context_(context),
      tally_(options.seed, options.traced),
      dice_(options.seed),
      cell_size_(dice_.pick(std::vector<double>{1, 1, 0.5, 3})),
      link_(context.channel(), "verify", options.restart_s),
      comeback_(options.restart_s, context, tally_) {}

// Returns the profiles of the agents; "default" is the first.
std::vector<Profile> Run::profiles() const {
  std::vector<Profile> profiles{{"default", options_.topology, options_.corner, {}}};
  if (options_.terrain) {
    Profile cart = profiles.front();
    cart.name = "cart";
    cart.corner = options_.corner == CornerRule::kNone ? CornerRule::kOne : CornerRule::kNone;
    cart.rules = {{"swamp", 4, false}, {"water", 2.5, false}, {"factor_7", 1, true}};
    profiles.push_back(cart);
  }
  if (options_.clearance) {
    Profile wagon = profiles.front();
    wagon.name = "wagon";
    wagon.radius = 0.8;  // closes the eight cells around a blocked one
    Profile tank = profiles.back();
    tank.name = "tank";
    tank.radius = 2.4;
    profiles.push_back(wagon);
    profiles.push_back(tank);
  }
  if (options_.turns && options_.topology != Topology::kHex) {
    Profile car = profiles.back();
    car.name = "car";
    car.turning_radius = 0.6;
    Profile lorry = profiles.front();
    lorry.name = "lorry";
    lorry.turning_radius = 2.5;
    profiles.push_back(car);
    profiles.push_back(lorry);
  }
  if (options_.hex) {
    Profile bee = profiles.front();
    bee.name = "bee";
    bee.topology = Topology::kHex;
    if (options_.terrain) bee.rules = {{"swamp", 3, false}};
    profiles.push_back(bee);
    if (options_.clearance) {
      bee.name = "beetle";
      bee.radius = 0.9;
      profiles.push_back(bee);
    }
  }
  return profiles;
}

// Adds a view of each profile in team 0, and of "default" in two more teams. Profiles with a radius
// or six neighbours get one in another team, too. The views of agents with `stands` come last.
void Run::add_views(const std::vector<Profile>& profiles) {
  for (const Profile& profile : profiles) world_->add_view(profile, 0);
  if (options_.teams) add_views_of_teams(profiles);
  if (!options_.standing) return;
  for (std::uint64_t id = 1; id <= kStanders; ++id)
    world_->add_view(profiles[id % profiles.size()], 0, id);
}

void Run::add_views_of_teams(const std::vector<Profile>& profiles) {
  for (const Profile& profile : profiles) {
    if (profile.name == "default" || profile.radius > 0 || profile.name == "bee")
      world_->add_view(profile, 1);
  }
  world_->add_view(profiles.front(), 2);
}

bool Run::import_world(const std::string& file, const MapFile& map) {
  v1::CreateWorldRequest request;
  request.set_cell_size(cell_size_);
  v1::WorldOptions& options = *request.mutable_options();
  options.set_lockstep(!options_.realtime);
  options.set_strategy(options_.strategy);
  if (options_.legs) options.set_first_leg_cells(1);
  if (!options_.realtime) options.set_frame_budget_work_units(20'000);
  v1::World made;
  for (const Profile& profile : profiles()) fill(profile, cell_size_, *request.add_profiles());
  if (!context_.accepted(link_.import_map(file, std::move(request), made))) return false;
  if (!comeback_.begin(made)) return false;
  int unknown = 0;
  world_ = std::make_unique<WorldModel>(map, classes_of(made), unknown);
  if (unknown > 0 || made.width() != map.width || made.height() != map.height) {
    context_.check_failed("the server read another map: " + std::to_string(unknown) +
                          " cells of an unknown kind");
    return false;
  }
  has_legs_ = static_cast<std::uint64_t>(map.width) * static_cast<std::uint64_t>(map.height) >=
              made.options().first_leg_cells();
  add_views(profiles());
  return true;
}

// Two teams of three know nothing of the map at first, and one has seen half of it.
bool Run::bring_fog() {
  const Rect all{0, 0, world_->width(), world_->height()};
  const Rect half{0, 0, world_->width(), (world_->height() + 1) / 2};
  Batch batch;
  batch.fog = {{0, all, true}, {1, all, true}, {1, half, false}};
  v1::ApplyChangesRequest request;
  fill(batch, world_->classes(), cell_size_, *request.mutable_batch());
  v1::ApplyChangesResponse answer;
  if (!context_.accepted(link_.apply(request, answer))) return false;
  world_->apply(batch);
  return true;
}

bool Run::begin(const std::string& file, const MapFile& map) {
  if (!import_world(file, map)) return false;
  if (options_.fog && !bring_fog()) return false;
  session_ =
      std::make_unique<SessionLink>(context_.channel(), link_.name(), comeback_.session_ttl_ms());
  if (!session_->opened()) {
    context_.refused(session_->finish());
    return false;
  }
  oracle_ = std::make_unique<Oracle>(*world_);
  crowd_ = std::make_unique<Crowd>(*world_, *oracle_, dice_, cell_size_, options_.crowd);
  judge_ =
      std::make_unique<Judge>(*world_, crowd_->agents(), *oracle_, tally_, cell_size_, has_legs_);
  mischief_ = std::make_unique<Mischief>(
      *world_, crowd_->agents(), dice_,
      MischiefOptions{options_.teams, options_.terrain, options_.influence, options_.fog,
                      options_.standing, options_.mass});
  for (int joined = 0; joined < options_.agents; joined += kJoinAtOnce) {
    send(crowd_->join(std::min(kJoinAtOnce, options_.agents - joined)));
    if (!frame(kAmpleBudget)) return false;
  }
  return settle(kSettleFrames);
}

bool Run::drive() {
  moving_ = true;
  cli::Progress progress("verifying");
  for (int number = 1; number <= options_.events; ++number) {
    if (!one_event(number)) return false;
    progress.show(static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(options_.events),
                  std::to_string(tally_.wrong + tally_.missed_improvements + tally_.invalid_paths) +
                      " defects");
  }
  moving_ = false;
  if (!settle(kLastFrames)) return false;
  if (!settled()) tally_.unsettled = std::max<std::uint64_t>(1, waiting_);
  judge_->check_claims();
  return context_.accepted(link_.repairs(tally_.repairs));
}

bool Run::one_event(int number) {
  tally_.events = static_cast<std::uint64_t>(number);
  if (!commit()) return false;
  const int frames = dice_.chance(0.1) ? 0 : dice_.between(1, 2);
  for (int i = 0; i < frames; ++i) {
    act();
    if (!frame(budget())) return false;
  }
  if (number % kFullCheckEvery != 0) return true;
  thrift_ = dice_.below(3);
  judge_->check_claims();
  if (dice_.chance(0.5)) return true;
  if (!settle(kSettleFrames)) return false;
  judge_->check_claims();
  return true;
}

std::uint64_t Run::budget() {
  static const std::vector<std::uint64_t> budgets[] = {
      {20'000, 100'000, 500'000}, {1'000, 5'000, 20'000}, {64, 200, 1'000}};
  return dice_.pick(budgets[thrift_]);
}

bool Run::commit() {
  const Batch batch = mischief_->next();
  v1::ApplyChangesRequest request;
  fill(batch, world_->classes(), cell_size_, *request.mutable_batch());
  request.set_request_id("event-" + std::to_string(tally_.events));
  if (dice_.chance(0.3)) request.set_expected_revision(world_->revision());
  v1::ApplyChangesResponse answer;
  if (!call([&] { return link_.apply(request, answer); })) return false;
  world_->apply(batch);
  if (answer.incarnation() > 0 && answer.durable_revision() < answer.revision())
    tally_.add(Defect::kWrong, 0, "ApplyChanges answered before its change was on the disk");
  if (answer.revision() != world_->revision()) {
    tally_.add(Defect::kWrong, 0,
               "ApplyChanges gave revision " + std::to_string(answer.revision()) + ", not " +
                   std::to_string(world_->revision()));
  }
  judge_->on_commit();
  return !dice_.chance(0.1) || check_world(answer, std::move(request));
}

// Checks that the same revision has the same state hash, and that a repeated request has no effect.
bool Run::check_world(const v1::ApplyChangesResponse& applied, v1::ApplyChangesRequest request) {
  request.clear_expected_revision();
  v1::ApplyChangesResponse again;
  if (!call([&] { return link_.apply(request, again); })) return false;
  v1::World world;
  if (!call([&] { return link_.get(world); })) return false;
  if (!again.repeated_request() || again.revision() != applied.revision()) {
    tally_.add(Defect::kWrong, 0, "a repeated request was taken for a new one");
  }
  if (world.revision() != applied.revision() || world.state_hash() != applied.state_hash() ||
      again.state_hash() != applied.state_hash()) {
    tally_.add(Defect::kWrong, 0,
               "the state hash of revision " + std::to_string(applied.revision()) +
                   " differs from one answer to the next");
  }
  return true;
}

// Plays a frame of the game: agents walk, get other goals, come and go.
void Run::act() {
  if (const auto request = crowd_->change_minds()) send(*request);
  if (const auto request = crowd_->walk()) send(*request);
  if (!dice_.chance(0.01)) return;
  send(crowd_->leave());
  send(crowd_->join(1));
}

void Run::send(const v1::SessionRequest& request) {
  last_action_ = session_->send(request);
  crowd_->sent(request, last_action_);
  judge_->note_action(last_action_);
  for (const std::uint64_t id : request.remove().agent_ids()) removals_[id] = last_action_;
  for (const v1::AgentPosition& position : request.report().positions()) {
    if (!tally_.traces(position.id())) continue;
    std::fprintf(stderr, "message %llu: %s\n", static_cast<unsigned long long>(last_action_),
                 position.ShortDebugString().c_str());
  }
}

bool Run::frame(std::uint64_t budget) { return options_.realtime ? pass_time() : tick(budget); }

// Sends a message that is refused and has no effect: its refusal proves that earlier messages were
// taken in. So the order of messages and frames, and with it the run, is the same every time.
bool Run::arrive() {
  for (;;) {
    v1::SessionRequest request;
    request.mutable_acknowledge()->set_batch_number(std::numeric_limits<std::uint64_t>::max());
    const std::uint64_t refused = session_->send(std::move(request));
    while (auto answer = session_->next(kPatience)) {
      if (answer->has_rejected() && answer->rejected().sequence() == refused) return true;
      take(std::move(*answer));
    }
    if (!come_back(session_->finish())) return false;
  }
}

// Makes a call, and makes it once more after each restart of the server. Agents stand at older
// positions then, until it has taken in what come_back() reports; a change must not overtake that.
template <class Call>
bool Run::call(Call make) {
  for (;;) {
    const grpc::Status status = make();
    if (status.ok()) return true;
    if (!come_back(status) || !arrive()) return false;
  }
}

// Goes on after a restart of the server: opens the session again, and says again what is not on the
// server's disk. Removals whose answer may be lost count as such.
bool Run::come_back(const grpc::Status& broken) {
  const auto opened =
      comeback_.reopen(broken, &session_, world_->revision(), /*is_durable=*/durable_ > 0);
  if (!opened) return false;
  if (!opened->resumed()) durable_ = 0;
  pending_.clear();
  last_read_ = last_acknowledged_ = 0;
  std::set<std::uint64_t> removed_again;
  v1::SessionRequest removal;
  for (const auto& [id, sequence] : removals_) {
    const auto agent = crowd_->agents().find(id);
    const bool was_told = agent == crowd_->agents().end();
    if (was_told && sequence <= durable_) continue;
    removed_again.insert(id);
    removal.mutable_remove()->add_agent_ids(id);
  }
  judge_->on_restart(std::move(removed_again));
  for (const v1::SessionRequest& request : crowd_->again(durable_)) send(request);
  if (removal.has_remove()) send(removal);
  return true;
}

// Lets the server plan a frame, and reads all that it has sent by the frame's end.
bool Run::play_frame(std::uint64_t budget, v1::TickResponse& answer) {
  for (;;) {
    if (!arrive()) return false;
    const grpc::Status status = session_->tick(budget, answer);
    if (!status.ok()) {
      if (!come_back(status)) return false;
      continue;
    }
    while (last_read_ < answer.last_batch_number()) {
      auto part = session_->next(kPatience);
      if (!part) break;
      take(std::move(*part));
    }
    if (last_read_ >= answer.last_batch_number()) return true;
    if (!come_back(session_->finish())) return false;
  }
}

bool Run::tick(std::uint64_t budget) {
  v1::TickResponse answer;
  if (!play_frame(budget, answer)) return false;
  waiting_ = answer.backlog();
  // Sometimes agents go on before they have the verdicts of the frame.
  if (moving_ && dice_.chance(0.2)) act();
  judge_pending();
  judge_->check_notices();
  judge_->on_tick(answer);
  acknowledge();
  return true;
}

bool Run::pass_time() {
  std::this_thread::sleep_for(std::chrono::milliseconds(dice_.between(1, 25)));
  while (auto answer = session_->next(std::chrono::milliseconds(0))) take(std::move(*answer));
  while (!pending_.empty() && pending_.back().ByteSizeLong() >= kWholeBytes) {
    auto answer = session_->next(std::chrono::milliseconds(200));
    if (!answer) break;
    take(std::move(*answer));
  }
  judge_pending();
  if (judge_->settled() == world_->revision()) judge_->check_notices();
  acknowledge();
  return true;
}

void Run::take(v1::SessionResponse answer) {
  if (answer.has_rejected()) {
    tally_.add(Defect::kWrong, 0,
               "message " + std::to_string(answer.rejected().sequence()) +
                   " was rejected: " + answer.rejected().status().message());
  } else if (answer.has_unknown()) {
    tally_.add(Defect::kWrong, answer.unknown().agent_ids(0), "the server does not know the agent");
  } else if (answer.has_batch()) {
    v1::EventBatch& batch = *answer.mutable_batch();
    last_read_ = batch.batch_number();
    durable_ = std::max(durable_, batch.applied_sequence());
    // Verdicts and silence speak of all that was taken in, on the disk or not.
    batch.set_applied_sequence(std::max(batch.applied_sequence(), batch.taken_sequence()));
    pending_.push_back(std::move(batch));
  }
}

void Run::judge_pending() {
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    std::size_t whole = i;
    while (whole + 1 < pending_.size() && pending_[whole].ByteSizeLong() >= kWholeBytes) ++whole;
    judge_->on_batch(pending_[i], pending_[whole].applied_sequence());
    waiting_ = pending_[i].waiting();
  }
}

void Run::acknowledge() {
  const bool told = std::any_of(pending_.begin(), pending_.end(), [](const v1::EventBatch& batch) {
    return batch.events_size() > 0;
  });
  if (last_read_ > last_acknowledged_ &&
      (told || last_read_ - last_acknowledged_ >= kUnacknowledgedMax)) {
    v1::SessionRequest request;
    request.mutable_acknowledge()->set_batch_number(last_read_);
    const std::uint64_t sequence = session_->send(std::move(request));
    for (auto& [id, agent] : crowd_->agents()) {
      if (agent.held.acknowledged == 0) agent.held.acknowledged = sequence;
    }
    last_acknowledged_ = last_read_;
  }
  pending_.clear();
}

bool Run::settled() const {
  return judge_->settled() == world_->revision() && judge_->applied() >= last_action_;
}

bool Run::settle(int frames) {
  for (int i = 0; i < frames && !settled(); ++i) {
    if (!frame(kAmpleBudget)) return false;
  }
  if (settled()) comeback_.settled();
  return true;
}

}  // namespace repath::verify
