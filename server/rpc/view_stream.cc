#include "rpc/view_stream.h"

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "rpc/place_messages.h"
#include "rpc/services.h"
#include "rpc/world_messages.h"

namespace repath {
namespace {

constexpr double kPositionUnits = 64;  // in a cell or world unit
constexpr std::uint32_t kWaitingBit = 8;

std::int32_t in_position_units(double at) {
  return static_cast<std::int32_t>(std::lround(at * kPositionUnits));
}

void add_position(const AgentGlance& agent, const MapUnits& map, v1::WatchViewResponse* out) {
  constexpr double kMiddle = 0.5;
  if (map.has_cells) {
    out->add_positions(in_position_units(map.x_of(agent.node) + kMiddle));
    out->add_positions(in_position_units(map.y_of(agent.node) + kMiddle));
    return;
  }
  for (const double at : {agent.spot.x, agent.spot.y, agent.spot.z})
    out->add_positions(in_position_units(at));
}

std::uint32_t number_of(Outlook outlook) {
  switch (outlook) {
    case Outlook::kNone:
      return v1::WatchViewResponse::OUTLOOK_UNSPECIFIED;
    case Outlook::kPath:
      return v1::WatchViewResponse::OUTLOOK_PATH;
    case Outlook::kBroken:
      return v1::WatchViewResponse::OUTLOOK_BROKEN;
    case Outlook::kPartial:
      return v1::WatchViewResponse::OUTLOOK_PARTIAL;
    case Outlook::kCutOff:
      return v1::WatchViewResponse::OUTLOOK_UNREACHABLE;
    case Outlook::kStartBlocked:
      return v1::WatchViewResponse::OUTLOOK_START_BLOCKED;
  }
  return v1::WatchViewResponse::OUTLOOK_UNSPECIFIED;
}

// Adds agents in ascending order of their ids.
class AgentWriter {
 public:
  AgentWriter(const MapUnits& map, v1::WatchViewResponse* out) : map_(map), out_(out) {}
  void add(const AgentGlance& agent) {
    out_->add_agents(value(agent.id) - std::exchange(last_, value(agent.id)));
    add_position(agent, map_, out_);
    out_->add_outlooks(number_of(agent.outlook) | (agent.waiting ? kWaitingBit : 0));
  }

 private:
  const MapUnits& map_;
  v1::WatchViewResponse* out_;
  std::uint64_t last_ = 0;
};

template <class Numbers>
std::uint64_t sum(const Numbers& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

void fill_figures(const ViewFrame& frame, v1::WatchViewResponse* out) {
  const Stats& stats = frame.stats;
  out->set_agent_count(stats.agents);
  out->set_waiting(stats.waiting);
  out->set_late(stats.late);
  out->set_frame_us_p50(frame.frame_us_p50);
  out->set_frame_us_p99(frame.frame_us_p99);
  out->set_frames(stats.frame);
  out->set_frames_over_budget(frame.frames_over_budget);
  out->set_verdicts(sum(stats.events));
  for (const StrategyStats& strategy : stats.strategies) {
    out->set_searches(out->searches() + strategy.searches);
    out->set_repairs(out->repairs() + strategy.repairs);
  }
  out->set_proved_unchanged(stats.filter_settled);
}

}  // namespace

void fill_view(const ViewFrame& frame, std::uint64_t before, const WorldFacts& facts,
               v1::WatchViewResponse* out) {
  const MapUnits map = map_units(facts);
  AgentWriter writer(map, out);
  out->set_revision(value(frame.revision));
  out->set_settled_revision(value(frame.settled));
  out->set_whole(before + 1 != frame.number || before == 0);
  if (before != 0) out->set_skipped(frame.number - before - 1);
  if (out->whole()) {
    for (const AgentGlance& agent : frame.agents) writer.add(agent);
  } else {
    for (const std::uint32_t i : frame.changed) writer.add(frame.agents[i]);
    for (const AgentId id : frame.removed) out->add_removed(value(id));
  }
  fill_figures(frame, out);
}

void ViewStream::begin(std::shared_ptr<WorldHost> host) {
  host_ = std::move(host);
  on_strand([this] {
    stream_ = host_->open_view(std::static_pointer_cast<ViewStream>(shared_from_this()));
  });
}

void ViewStream::on_view(std::shared_ptr<const ViewFrame> frame, std::uint64_t before) {
  enqueue([this, frame = std::move(frame), before](v1::WatchViewResponse* message) {
    fill_view(*frame, before, host_->facts(), message);
  });
}

grpc::ServerWriteReactor<v1::WatchViewResponse>* DebugService::WatchView(
    CallContext* context, const v1::WatchViewRequest* request) {
  auto stream = std::make_shared<ViewStream>(registry_.threads().writers(), *context);
  stream->keep_alive();
  const auto host = stream->find_world(registry_, request->world());
  host.ok() ? stream->begin(*host) : stream->on_end(host.status());
  return stream.get();
}

}  // namespace repath
