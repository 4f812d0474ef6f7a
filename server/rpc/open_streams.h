// The streams that gRPC has open on each connection.
//
// gRPC 1.51 gives a unary call to its handler when the call's message has come. Until then only
// channelz, gRPC's account of itself, knows of the call.
#pragma once

#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"

namespace repath {

// Returns the number of open streams of each connection to a server of this process, by its peer as
// gRPC names it. Takes some microseconds for each connection. Any thread.
absl::flat_hash_map<std::string, std::uint64_t> open_streams();

}  // namespace repath
