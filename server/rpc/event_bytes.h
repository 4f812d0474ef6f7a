// Verdicts and batches as the bytes that streams write. An event's bytes are made when they are
// first needed and shared by all its readers. Any thread.
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include <cstdint>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "rpc/place_messages.h"
#include "runtime/stream.h"

namespace repath {

// Returns a v1::PathEvent without `coalesced`, which a batch adds.
std::vector<std::uint8_t> event_bytes(const AgentEvent& event, const MapUnits& map);

// Returns a v1::EventBatch.
grpc::ByteBuffer batch_buffer(const EventBatch& batch, const MapUnits& map,
                              const std::string& epoch);
// Returns a v1::SessionResponse that holds the batch.
grpc::ByteBuffer session_batch_buffer(const EventBatch& batch, const MapUnits& map,
                                      const std::string& epoch);

}  // namespace repath
