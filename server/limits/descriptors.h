// The files and sockets that the process may open. Thread rule: any thread.
#pragma once

#include <cstdint>

namespace repath {

// Descriptors that are kept from connections: for the store, the admin port, the log and gRPC.
inline constexpr std::uint64_t kReservedDescriptors = 192;

// Raises the soft limit of open files to the hard one, as far as it may, and returns it.
std::uint64_t raise_descriptor_limit();
// Returns how many connections such a limit allows, at most `most` and at least 1.
std::uint64_t connections_within(std::uint64_t descriptors, std::uint64_t most);

}  // namespace repath
