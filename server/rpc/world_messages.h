// Worlds and their changes, between API messages and the rooms below; batch_messages.h has what is
// checked here. Pure functions, any thread.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "repath/v1/world.pb.h"
#include "rpc/batch_messages.h"
#include "rpc/field.h"
#include "rpc/place_messages.h"
#include "runtime/registry.h"
#include "world/batch.h"

namespace repath {

inline MapUnits map_units(const WorldFacts& facts) {
  return {facts.width, facts.height, facts.cell_size, facts.is_grid(),
          facts.kind == WorldKind::kGraph};
}

inline constexpr std::size_t kRequestIdMax = 128;  // bytes

// ---- making worlds ----

// Reads a world of one class of ground; the request has width and height.
absl::StatusOr<NewWorld> to_new_world(const v1::CreateWorldRequest& request,
                                      const Registry& registry);
// Reads a world from a map file; width and height must be 0. `map` is parsed when the world is
// made. `request` is the header.
absl::StatusOr<NewWorld> to_imported_world(const v1::ImportWorldRequest::Header& header,
                                           std::string map, const Registry& registry);
// Checks everything but the map, before the map has arrived.
absl::Status check_import_header(const v1::ImportWorldRequest::Header& header,
                                 const Registry& registry);

// Returns RESOURCE_EXHAUSTED with reason IMPORT_TOO_LARGE if the server does not take such a file.
absl::Status check_file_size(std::uint64_t bytes, const Registry& registry, const Field& field);

// Returns an error of making the world with its field named as in an import.
absl::Status in_import(const absl::Status& status);

// Sets durable_revision and incarnation, in whichever message has them.
template <class Message>
void fill_durable(const DurableState& durable, Message* out) {
  out->set_durable_revision(value(durable.revision));
  out->set_incarnation(durable.incarnation);
}
// Borrows the facts.
WorldTerms terms_of(const WorldFacts& facts);
// Fills in what stays the same for a world's whole life.
void fill_facts(const WorldFacts& facts, v1::World* out);
void fill_world(const WorldInfo& info, v1::World* out);
void fill_options(const WorldSettings& settings, v1::WorldOptions* out);

// ---- changing them ----

absl::StatusOr<ApplyCommand> to_apply(const v1::ApplyChangesRequest& request,
                                      const WorldFacts& facts);
absl::StatusOr<TestChanges> to_test(const v1::TestChangesRequest& request, const WorldFacts& facts);
void fill_applied(const ChangeAnswer& answer, v1::ApplyChangesResponse* out);
void fill_tested(const TestAnswer& answer, v1::TestChangesResponse* out);

// Returns FAILED_PRECONDITION with reason EPOCH_CHANGED unless `epoch` is the world's or empty.
absl::Status check_epoch(const std::string& epoch, const WorldFacts& facts);

// Fills in a committed batch as watchers see it. DATA_LOSS if the record cannot be read.
absl::Status fill_change(const LogRecord& record, v1::Change* out);

}  // namespace repath
