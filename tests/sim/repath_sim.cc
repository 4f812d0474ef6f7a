// repath-sim: plays random games of the store on a disk that crashes, from consecutive seeds, and
// prints one JSON object: seeds, violations, first_violation (seed and what was wrong, or null).
// Exit status 1 if there was a violation.
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/store/store_game.h"

int main(int argc, char** argv) {
  CLI::App app{"Random games with crashes; each follows from its seed"};
  std::uint64_t seeds = 1000;
  std::uint64_t first = 1;
  std::string plant;
  app.add_option("--seeds", seeds, "Number of games")->capture_default_str();
  app.add_option("--first", first, "Seed of the first game")->capture_default_str();
  app.add_option("--plant", plant, "A fault that the games should find")
      ->check(CLI::IsMember({"skip-sync", "drop-record", "acknowledge-early", "snapshot-tail"}));
  CLI11_PARSE(app, argc, argv);
  spdlog::set_level(spdlog::level::off);

  repath::sim::GameOptions options;
  options.planted.skip_sync = plant == "skip-sync";
  options.planted.drop_record = plant == "drop-record";
  options.planted.acknowledge_early = plant == "acknowledge-early";
  options.planted.snapshot_without_tail = plant == "snapshot-tail";
  std::uint64_t violations = 0;
  nlohmann::json first_violation;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    const std::string what = repath::sim::StoreGame(seed, options).play();
    if (what.empty()) continue;
    if (++violations == 1) first_violation = {{"seed", seed}, {"what", what}};
  }
  const nlohmann::json out = {
      {"seeds", seeds}, {"violations", violations}, {"first_violation", first_violation}};
  std::cout << out.dump() << '\n';
  return violations == 0 ? 0 : 1;
}
