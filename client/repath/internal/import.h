// The one call that streams to the server: a map file in chunks. Not installed.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "repath/internal/stubs.h"

namespace repath::client {

// The 32 bytes of the map's SHA-256, as the header of an import carries it.
std::string sha256_of(std::string_view map);

// Sends `map` under `header`, whose size and SHA-256 it fills in; `finish` is called once, on a
// gRPC thread. Owns itself until then.
void run_import(std::shared_ptr<Stubs> stubs, v1::ImportWorldRequest::Header header,
                std::string map, std::chrono::milliseconds deadline,
                std::function<void(const grpc::Status&, const v1::World&)> finish);

}  // namespace repath::client
