// The call that streams a world from the server: a header, then a file in chunks. Not installed.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "repath/internal/stubs.h"
#include "repath/read_back.h"

namespace repath::client {

// Reads the whole file; `finish` is called once, on a gRPC thread. Owns itself until then.
void run_export(std::shared_ptr<Stubs> stubs, v1::ExportWorldRequest request,
                std::chrono::milliseconds deadline,
                std::function<void(const grpc::Status&, Exported)> finish);

}  // namespace repath::client
