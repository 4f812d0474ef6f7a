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

// The first profile stands for the default one's topology alone, which batches need that leave it
// open. The profiles of the first answer follow it; without an answer the revision is 0.
std::string ProtoCodec::write_facts(const WorldFacts& facts, const WorldInfo* first) const {
  v1::World message;
  fill_facts(facts, &message);
  message.add_profiles()->set_topology(to_message<v1::Topology>(facts.default_topology));
  if (first != nullptr) {
    v1::World answer;
    fill_world(*first, &answer);
    answer.clear_terrain_classes();  // the lists of both would be put together
    message.MergeFrom(answer);
  }
  message.clear_name();
  message.clear_epoch();
  return message.SerializeAsString();
}

std::optional<WorldInfo> ProtoCodec::read_first_answer(const std::string& bytes) const {
  v1::World message;
  if (!message.ParseFromString(bytes) || message.revision() == 0) return std::nullopt;
  absl::StatusOr<WorldFacts> facts = read_facts(bytes);
  if (!facts.ok()) return std::nullopt;
  WorldInfo info;
  info.facts = std::make_shared<const WorldFacts>(*std::move(facts));
  info.revision = Revision{message.revision()};
  info.state_hash = message.state_hash();
  for (int i = 1; i < message.profiles_size(); ++i) {
    auto profile = to_profile(message.profiles(i), terms_of(*info.facts), Field() / "profiles");
    if (!profile.ok()) return std::nullopt;
    info.profiles.push_back(*std::move(profile));
  }
  info.obstacles = message.obstacles();
  info.agents = message.agents();
  info.memory_bytes = message.memory_bytes();
  info.oldest = Revision{message.oldest_revision()};
  info.durable = {Revision{message.durable_revision()}, message.incarnation()};
  return info;
}

absl::StatusOr<WorldFacts> ProtoCodec::read_facts(const std::string& bytes) const {
  v1::World message;
  if (!message.ParseFromString(bytes) || message.profiles_size() == 0)
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
  return to_agent(message, map_units(facts), Field() / "agent");
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

const WorldCodec& proto_codec() {
  static const ProtoCodec codec;
  return codec;
}

}  // namespace repath
