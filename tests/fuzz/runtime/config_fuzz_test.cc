// The readers of the config file and of what a store keeps about an agent.
#include "runtime/config.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "runtime/journal.h"
#include "support/fuzz.h"
#include "support/hostile.h"
#include "support/temp_path.h"

namespace repath {
namespace {

absl::Status read_config(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
  Config config;
  const absl::Status status = read_config_file(path, config);
  if (!status.ok()) {
    EXPECT_EQ(status.message().find(path + ":"), 0u) << status;
    return status;
  }
  EXPECT_FALSE(config.listen.empty());
  EXPECT_GE(config.limits.worlds_max, 1u);
  EXPECT_LE(config.limits.world_threads, 256u);
  return absl::OkStatus();
}

// Some settings, most with a value that may suit them.
std::string hostile_config(Random* random) {
  static const std::vector<Setting> kSettings = settings();
  static constexpr std::string_view kValues[] = {
      "on", "off", "none", "debug", "localhost:7700", "[::1]:1", "unix:/tmp/x", "*", "= =", "\""};
  test::Hostile dice(random);
  std::string text;
  for (std::uint32_t lines = dice.below(12); lines > 0; --lines) {
    const Setting& setting = kSettings[dice.below(static_cast<std::uint32_t>(kSettings.size()))];
    const std::uint32_t kind = dice.below(4);
    text += std::string(setting.name) + (dice.below(9) == 0 ? " " : " = ");
    text += kind == 0   ? dice.number()
            : kind == 1 ? std::string(kValues[dice.below(std::size(kValues))])
            : kind == 2 ? std::string(dice.below(5000), 'x')
                        : setting.default_value;
    text += dice.below(9) == 0 ? "\r\n# a comment\n" : "\n";
  }
  return text;
}

TEST(Fuzz, ConfigFile) {
  const std::string path = test::temp_path("config");
  test::feed(
      {"listen = 127.0.0.1:7700\nlisten = unix:/run/repath.sock # two of them\nadmin = [::1]:80\n",
       "# limits\nworlds-max = 7\nlog-level=debug\n\tdata = /var/lib/repath\r\nreflection = off\n",
       "tokens = /etc/repath/tokens\ntls-cert = c.pem\nadmin-host = a.example\nadmin-host = b\n"},
      [&](const std::string& text) { return read_config(path, text); }, hostile_config);
  std::remove(path.c_str());
}

TEST(Fuzz, AgentRow) {
  test::feed({write_agent_row({1, "an agent"}), write_agent_row({~std::uint64_t{0}, ""})},
             [](const std::string& bytes) {
               const auto row = read_agent_row(bytes);
               if (row.ok()) {
                 EXPECT_EQ(write_agent_row(*row), bytes);
               }
               return row.status();
             });
}

}  // namespace
}  // namespace repath
