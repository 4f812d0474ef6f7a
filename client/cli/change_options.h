// The options of `world apply` and `world test`: a batch of changes, from a file or from flags.
//
// Thread rule: plain values.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "repath/v1/world.pb.h"

namespace repath::cli {

struct ChangeOptions {
  std::string file;
  std::optional<std::uint64_t> id;
  std::map<std::string, std::string> shapes;  // by option, "--box"; empty if it is not given
  std::optional<double> cost;
  std::optional<std::uint32_t> area;
  std::vector<std::uint32_t> teams;
  bool open = false;
  std::vector<std::string> doors;
  std::vector<std::uint64_t> removed;
  std::vector<std::string> terrain;
  std::vector<std::string> influence;
  std::vector<std::string> decays;
  std::vector<std::string> hidden;
  std::vector<std::string> revealed;
  std::vector<std::string> bodies;
  std::vector<std::uint64_t> walking;
  std::optional<double> bottom;
  std::optional<double> top;
  std::vector<std::string> links;
};

// Registers them; `options` must outlive the parse.
void add_change_options(CLI::App& command, ChangeOptions& options);

// The batch: the file's, then what the flags add. Throws CLI::ValidationError if it is empty or
// does not make sense.
v1::ChangeBatch to_batch(const ChangeOptions& options);

}  // namespace repath::cli
