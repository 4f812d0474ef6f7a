// One world on the server and the scene that is played in it. Thread rule: one thread.
#pragma once

#include <grpcpp/channel.h>

#include <memory>
#include <optional>
#include <string>

#include "load/map_maker.h"
#include "load/scene.h"
#include "repath/v1/world.pb.h"
#include "verify/world_link.h"

namespace repath::load {

struct Stage {
  std::unique_ptr<verify::WorldLink> link;  // deletes the world when it goes
  v1::World made;
  std::unique_ptr<Scene> scene;
  std::uint64_t base_revision = 1;  // with all obstacles that stand before the run
  std::uint64_t next_event = 0;     // of the schedule
  std::uint64_t next_query = 0;

  // From the latest GetStats, and from the one when the window began.
  std::uint64_t frames = 0;
  std::uint64_t frames_over_budget = 0;
  std::uint64_t first_frames = 0;
  std::uint64_t first_over_budget = 0;
  double frame_p50_us = 0;
  double frame_p99_us = 0;
};

// Makes the world of number `number` from `map` and plays a scene in it: on grids with cells, on
// meshes and graphs with places that the server picks. Borrows `options` and `map`. `status` has
// the error of a refused call.
std::optional<Stage> make_stage(const LoadOptions& options, const MadeMap& map, int number,
                                std::shared_ptr<grpc::Channel> channel, grpc::Status* status);

}  // namespace repath::load
