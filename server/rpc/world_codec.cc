#include "rpc/world_codec.h"

#include <string_view>
#include <utility>

#include "base/error.h"
#include "rpc/agent_messages.h"
#include "rpc/batch_messages.h"
#include "rpc/new_world.h"
#include "rpc/place_messages.h"
#include "rpc/world_messages.h"

namespace repath {
namespace {

absl::Status unreadable(std::string_view what) {
  return make_error(absl::StatusCode::kDataLoss, "WORLD_DAMAGED", "",
                    std::string(what) + " cannot be read");
}

absl::StatusOr<WorldKind> kind_named(std::string_view name) {
  for (const WorldKind kind : {WorldKind::kGrid, WorldKind::kNavmesh, WorldKind::kGraph})
    if (name == name_of(kind)) return kind;
  return unreadable("the kind of the world");
}

}  // namespace

// The default profile stands for its topology alone, which batches need that leave it open.
std::string ProtoCodec::write_facts(const WorldFacts& facts) const {
  v1::World message;
  fill_facts(facts, &message);
  message.clear_name();
  message.clear_epoch();
  message.add_profiles()->set_topology(to_message<v1::Topology>(facts.default_topology));
  return message.SerializeAsString();
}

absl::StatusOr<WorldFacts> ProtoCodec::read_facts(const std::string& bytes) const {
  v1::World message;
  if (!message.ParseFromString(bytes) || message.profiles_size() != 1)
    return unreadable("the description of the world");
  const Field field;
  WorldFacts facts;
  REPATH_ASSIGN_OR_RETURN(facts.kind, kind_named(message.kind()));
  facts.width = message.width();
  facts.height = message.height();
  facts.cell_size = message.cell_size();
  REPATH_ASSIGN_OR_RETURN(facts.terrain, read_list(message.terrain_classes(),
                                                   field / "terrain_classes", to_terrain_class));
  REPATH_ASSIGN_OR_RETURN(facts.default_topology,
                          (to_plain<v1::TOPOLOGY_4, Topology::kHex>(
                              message.profiles(0).topology(), field / "profiles[0].topology")));
  REPATH_ASSIGN_OR_RETURN(facts.settings, to_settings(message.options(), {}, field / "options"));
  if (message.has_bounds_min())
    facts.bounds = {message.bounds_min().x(), message.bounds_min().z(), message.bounds_max().x(),
                    message.bounds_max().z()};
  facts.base_radius = message.base_radius();
  return facts;
}

absl::StatusOr<ChangeBatch> ProtoCodec::read_batch(const std::string& bytes,
                                                   const WorldFacts& facts) const {
  v1::ChangeBatch message;
  REPATH_RETURN_IF_ERROR(repath::read_batch(bytes, &message));
  return to_batch(message, terms_of(facts), Field() / "batch");
}

absl::StatusOr<AgentSpec> ProtoCodec::read_agent(const std::string& bytes,
                                                 const WorldFacts& facts) const {
  v1::Agent message;
  if (!message.ParseFromString(bytes)) return unreadable("the agent");
  return to_agent(message, map_size(facts), Field() / "agent");
}

std::string ProtoCodec::write_answer(const ChangeAnswer& answer) const {
  v1::ApplyChangesResponse message;
  fill_applied(answer, &message);
  message.clear_repeated_request();
  return message.SerializeAsString();
}

absl::StatusOr<ChangeAnswer> ProtoCodec::read_answer(const std::string& bytes) const {
  v1::ApplyChangesResponse message;
  if (!message.ParseFromString(bytes)) return unreadable("the answer");
  ChangeAnswer answer;
  answer.revision = Revision{message.revision()};
  answer.state_hash = message.state_hash();
  answer.changed_edges = message.changed_edges();
  answer.invalidated_agents = message.invalidated_agents();
  answer.waiting_agents = message.waiting_agents();
  return answer;
}

std::unique_ptr<ByteSource> ProtoCodec::write_world(std::shared_ptr<const WorldContent> content,
                                                    const WorldFacts& facts) const {
  return std::make_unique<WorldFileWriter>(std::move(content), facts.name, facts.settings);
}

absl::StatusOr<FiledWorld> ProtoCodec::read_world(const std::string& file, const WorldFacts& facts,
                                                  WorkMeter* work) const {
  return read_kept_world(file, facts, work);
}

}  // namespace repath
