// Verdicts and batches as bytes on the wire: what the streams write. An event's bytes are written
// once and shared by all its readers; a batch is a few fields, the events' bytes, and what differs
// by reader.
//
// Pure functions but for the events' shared bytes, which are made when first asked for; any thread.
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include <cstdint>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "rpc/place_messages.h"
#include "runtime/stream.h"

namespace repath {

// A v1::PathEvent without `coalesced`, which a batch adds.
std::vector<std::uint8_t> event_bytes(const AgentEvent& event, const MapSize& map);

// A v1::EventBatch.
grpc::ByteBuffer batch_buffer(const EventBatch& batch, const MapSize& map,
                              const std::string& epoch);
// A v1::SessionResponse with it.
grpc::ByteBuffer session_batch_buffer(const EventBatch& batch, const MapSize& map,
                                      const std::string& epoch);

}  // namespace repath
