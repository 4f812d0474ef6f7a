#include <iostream>

#include "cli/print.h"
#include "cli/visible_text.h"

namespace repath::cli {

std::string size_of(const v1::World& world) {
  if (world.kind() == "grid")
    return std::to_string(world.width()) + " x " + std::to_string(world.height());
  const v1::Vec3& least = world.bounds_min();
  const v1::Vec3& most = world.bounds_max();
  return fixed2(most.x() - least.x()) + " x " + fixed2(most.z() - least.z()) + " units";
}

void print_world(const CommandContext& context, const v1::World& world) {
  if (context.json) {
    context.print_json(json_of(world));
    return;
  }
  std::cout << visible(world.name()) << ": " << visible(world.kind()) << " of " << size_of(world);
  if (world.kind() == "grid") std::cout << " cells of " << world.cell_size();
  std::cout << ", revision " << world.revision() << ", hash " << hex(world.state_hash()) << '\n';
  if (world.state() == v1::WORLD_STATE_QUARANTINED) {
    std::cout << "  QUARANTINED: " << visible(world.quarantine_reason())
              << "\n  The world is not served any more. Delete it and make it again.\n";
  }
  std::cout << "  agents " << world.agents() << ", obstacles " << world.obstacles() << ", memory "
            << bytes(world.memory_bytes()) << '\n';
  std::cout << "  frames: ";
  if (world.options().lockstep()) {
    std::cout << "lockstep";
  } else {
    std::cout << world.options().frame_rate_hz() << " a second";
  }
  if (world.options().frame_budget_work_units() > 0) {
    std::cout << ", " << world.options().frame_budget_work_units() << " work units each";
  } else if (world.options().frame_budget_us() > 0) {
    std::cout << ", " << world.options().frame_budget_us() << " us of planning each";
  }
  std::cout << "; strategy "
            << short_name(v1::Strategy_Name(world.options().strategy()), "STRATEGY_") << '\n';
  std::cout << "  history from revision " << world.oldest_revision() << ", epoch " << world.epoch()
            << '\n';
  if (world.incarnation() > 0) {
    std::cout << "  on the disk up to revision " << world.durable_revision() << ", incarnation "
              << world.incarnation() << '\n';
  }
  if (world.kind() == "navmesh")
    std::cout << "  made for agents of radius " << world.base_radius() << '\n';
  if (world.kind() != "grid") {
    for (const auto& profile : world.profiles())
      std::cout << "  profile " << visible(profile.name()) << ": radius " << profile.radius()
                << '\n';
    std::cout.flush();
    return;
  }
  for (const auto& profile : world.profiles()) {
    std::cout << "  profile " << visible(profile.name()) << ": topology "
              << short_name(v1::Topology_Name(profile.topology()), "TOPOLOGY_") << ", corner rule "
              << short_name(v1::CornerRule_Name(profile.corner_rule()), "CORNER_RULE_")
              << ", radius " << profile.radius() << '\n';
  }
  std::cout << "  terrain:";
  for (const auto& terrain : world.terrain_classes()) {
    std::cout << "  " << visible(terrain.symbol()) << ' ' << visible(terrain.name()) << ' ';
    if (terrain.forbidden()) {
      std::cout << "forbidden";
    } else {
      std::cout << terrain.factor();
    }
  }
  std::cout << std::endl;
}

}  // namespace repath::cli
