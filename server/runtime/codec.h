// How what a store keeps becomes bytes and is read back. The transport brings it, because the bytes
// are those of its messages; this room knows none of them.
//
// Thread rule: any thread; nothing changes. Errors of reading: DATA_LOSS, or the error of the check
// that the content failed; the caller says where the bytes lay.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agents/agent.h"
#include "base/byte_source.h"
#include "base/work_meter.h"
#include "engine/engine.h"
#include "runtime/world_facts.h"
#include "runtime/world_spec.h"
#include "world/batch.h"

namespace repath {

struct WorldInfo;

class WorldCodec {
 public:
  virtual ~WorldCodec() = default;

  // The facts of a world but for its name and epoch, which the catalogue has itself. `first` is the
  // answer of the request that made the world, if that may be repeated; else null.
  virtual std::string write_facts(const WorldFacts& facts, const WorldInfo* first) const = 0;
  virtual absl::StatusOr<WorldFacts> read_facts(const std::string& bytes) const = 0;
  // Returns that answer; its facts lack name and epoch. Empty if none was written.
  virtual std::optional<WorldInfo> read_first_answer(const std::string& bytes) const = 0;

  // Reads a batch as ApplyCommand::batch_bytes has it, and an agent as Upsert::bytes has it.
  virtual absl::StatusOr<ChangeBatch> read_batch(const std::string& bytes,
                                                 const WorldFacts& facts) const = 0;
  virtual absl::StatusOr<AgentSpec> read_agent(const std::string& bytes,
                                               const WorldFacts& facts) const = 0;

  // The answer to a request, but for `repeated_request`.
  virtual std::string write_answer(const ChangeAnswer& answer) const = 0;
  virtual absl::StatusOr<ChangeAnswer> read_answer(const std::string& bytes) const = 0;

  // A whole world as a file in pieces. The pieces are made as they are asked for.
  virtual std::unique_ptr<ByteSource> write_world(std::shared_ptr<const WorldContent> content,
                                                  const WorldFacts& facts) const = 0;
  virtual absl::StatusOr<FiledWorld> read_world(const std::string& file, const WorldFacts& facts,
                                                WorkMeter* work) const = 0;
};

}  // namespace repath
