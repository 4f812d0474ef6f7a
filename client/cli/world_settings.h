// The options that `world create` and `world import` share.
//
// Thread rule: plain values.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "repath/v1/world.pb.h"

namespace repath::cli {

struct WorldSettings {
  std::string name;
  double cell_size = 0;
  std::string topology;
  std::optional<double> radius = {};
  std::string corner;
  std::string profile_file;
  bool lockstep = false;
  double frame_rate_hz = 0;
  std::uint64_t budget_units = 0;
  std::uint64_t budget_us = 0;
  std::string strategy;
  std::uint32_t history = 0;
  std::uint64_t memory_mb = 0;
  std::uint64_t first_leg_cells = 0;
};

// Registers them; `settings` must outlive the parse.
void add_world_settings(CLI::App& command, WorldSettings& settings);

// All but the size. --topology, --corner and --radius are the profile "default"'s, over what the
// profile file says of it. Throws CLI::ValidationError as parse.h.
v1::CreateWorldRequest to_request(const WorldSettings& settings);

}  // namespace repath::cli
