// The world that the server is measured on: a plain with pillars, and short paths across it.
//
// Thread rule: one thread.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/support/status.h>

#include <memory>

#include "ceiling/wire_load.h"

namespace repath::ceiling {

// Makes the world with `agents` agents that have paths of 15 to 20 cells, and returns when each has
// its path. INTERNAL if an agent or short_path() gets no path.
grpc::Status make_ground(const std::shared_ptr<grpc::Channel>& channel, int agents);

// Returns a FindPath between two cells ten steps apart, around a pillar.
WireCall short_path();
// Returns a WatchPaths of all agents: each one's verdict with its path.
WireCall all_verdicts();
// Makes a new revision at which every path holds, so that the server cannot reuse the bytes of
// earlier verdicts.
grpc::Status change_nothing(const std::shared_ptr<grpc::Channel>& channel);

}  // namespace repath::ceiling
