// The commands of `repath`, one function for each group, each in a file of its name. Each registers
// its commands on `app`; both arguments must outlive the parse, and the commands run inside it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/context.h"

namespace repath::cli {

// --server, and all groups below.
void add_commands(CLI::App& app, CommandContext& context);

// Makes the options of `app` and its commands read numbers in decimal digits, and refuse any other
// text and numbers out of range, infinity and NaN. Finds the options by CLI11's names of their
// types: UINT (32 or 64 bits), INT (int), FLOAT.
void check_numbers(CLI::App& app);

// Returns the fault of a command line that `app` could not parse, and what is allowed there.
std::string wrong_usage(const CLI::App& app, const CLI::ParseError& error);

// Returns whether --json is among the arguments, also of a command line that could not be parsed.
bool has_json_flag(int argc, const char* const* argv);

// world create|import|list|show|delete, on the command `world`.
void add_world_commands(CLI::App& world, CommandContext& context);
// world export|obstacles|terrain.
void add_world_read_commands(CLI::App& world, CommandContext& context);
// world fork|history.
void add_world_history_commands(CLI::App& world, CommandContext& context);
// backup, restore, play.
void add_backup_commands(CLI::App& app, CommandContext& context);
// play alone.
void add_play_command(CLI::App& app, CommandContext& context);
// world ground|grow|graph.
void add_world_ground_commands(CLI::App& world, CommandContext& context);
// world placements; add_change_commands() calls it.
void add_placements_command(CLI::App& world, CommandContext& context);
// world apply|test|placements|watch.
void add_change_commands(CLI::App& world, CommandContext& context);
// path find|nearest|away.
void add_path_commands(CLI::App& path, CommandContext& context);
// path raycast|check|random.
void add_path_check_commands(CLI::App& path, CommandContext& context);
// path reachable|flow.
void add_area_commands(CLI::App& path, CommandContext& context);
// path explain.
void add_explain_command(CLI::App& path, CommandContext& context);
// agent add|move|remove.
void add_agent_commands(CLI::App& agent, CommandContext& context);
// agent list|why|watch.
void add_agent_list_commands(CLI::App& agent, CommandContext& context);
// session list|close.
void add_session_commands(CLI::App& session, CommandContext& context);
// demo doors|tower-defence, on the command `demo`.
void add_doors_demo(CLI::App& demo, CommandContext& context);
void add_tower_demo(CLI::App& demo, CommandContext& context);
// token create|list|revoke.
void add_token_commands(CLI::App& token, CommandContext& context);
// tls check.
void add_tls_commands(CLI::App& tls, CommandContext& context);
// stats.
void add_stats_command(CLI::App& app, CommandContext& context);
// top.
void add_top_command(CLI::App& app, CommandContext& context);

}  // namespace repath::cli
