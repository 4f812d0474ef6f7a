// What a Repath server is asked about: a plain of pillars, short paths across it.
//
// Thread rule: one thread.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/support/status.h>

#include <memory>

#include "ceiling/wire_load.h"

namespace repath::ceiling {

// Makes the world, with so many agents that have paths of some fifteen to twenty cells; returns
// when every one has its path. INTERNAL if one has none, or if short_path() finds none.
grpc::Status make_ground(const std::shared_ptr<grpc::Channel>& channel, int agents);

// FindPath between two cells ten steps apart, around a pillar.
WireCall short_path();
// Every agent's verdict with its path: WatchPaths.
WireCall all_verdicts();
// A new revision at which every path holds: what readers were told before is not what they are told
// now.
grpc::Status change_nothing(const std::shared_ptr<grpc::Channel>& channel);

}  // namespace repath::ceiling
