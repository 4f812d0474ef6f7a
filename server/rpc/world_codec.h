// Writes and reads what a store keeps, as messages of proto/repath/v1: World for the facts of a
// world, ChangeBatch, Agent, ApplyChangesResponse, and MAP_FORMAT_REPATH for whole worlds. So later
// versions can read it by Protobuf's own rules.
//
// Thread rule: any thread.
#pragma once

#include "runtime/codec.h"

namespace repath {

class ProtoCodec final : public WorldCodec {
 public:
  std::string write_facts(const WorldFacts& facts, const WorldInfo* first) const override;
  std::optional<WorldInfo> read_first_answer(const std::string& bytes) const override;
  absl::StatusOr<WorldFacts> read_facts(const std::string& bytes) const override;
  absl::StatusOr<ChangeBatch> read_batch(const std::string& bytes,
                                         const WorldFacts& facts) const override;
  absl::StatusOr<AgentSpec> read_agent(const std::string& bytes,
                                       const WorldFacts& facts) const override;
  std::string write_answer(const ChangeAnswer& answer) const override;
  absl::StatusOr<ChangeAnswer> read_answer(const std::string& bytes) const override;
  std::unique_ptr<ByteSource> write_world(std::shared_ptr<const WorldContent> content,
                                          const WorldFacts& facts) const override;
  absl::StatusOr<FiledWorld> read_world(const std::string& file, const WorldFacts& facts,
                                        WorkMeter* work) const override;
};

// Returns the codec of the server, which lives as long as the process.
const WorldCodec& proto_codec();

}  // namespace repath
