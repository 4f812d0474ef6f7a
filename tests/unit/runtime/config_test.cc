#include "runtime/config.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "base/error.h"
#include "support/temp_path.h"

namespace repath {
namespace {

class ConfigFile : public testing::Test {
 protected:
  absl::Status read(const std::string& text, Config& config) {
    std::ofstream(path_) << text;
    return read_config_file(path_, config);
  }
  ~ConfigFile() override { std::remove(path_.c_str()); }

  const std::string path_ = test::temp_path("config.conf");
};

TEST(Config, EverySettingTakesItsOwnDefault) {
  for (const Setting& setting : settings()) {
    if (setting.default_value.empty()) continue;
    Config config;
    EXPECT_TRUE(set_config(config, setting.name, setting.default_value).ok()) << setting.name;
  }
}

TEST(Config, EveryNumberIsRefusedJustOutsideItsRange) {
  for (const Setting& setting : settings()) {
    if (setting.range.empty()) continue;
    const std::size_t comma = setting.range.find(", ");
    const std::string most = setting.range.substr(comma + 2, setting.range.size() - comma - 3);
    Config config;
    EXPECT_TRUE(set_config(config, setting.name, most).ok()) << setting.name;
    const absl::Status status =
        set_config(config, setting.name, std::to_string(std::stoull(most) + 1));
    EXPECT_EQ(error_reason(status), "CONFIG_VALUE") << setting.name;
    EXPECT_NE(std::string(status.message()).find(setting.range), std::string::npos);
    EXPECT_FALSE(set_config(config, setting.name, "-1").ok());
    EXPECT_FALSE(set_config(config, setting.name, "").ok());
    EXPECT_FALSE(set_config(config, setting.name, "7x").ok());
  }
}

TEST(Config, AddressesAreChecked) {
  Config config;
  for (const char* good :
       {"127.0.0.1:7700", "localhost:0", "[::1]:7700", "unix:/run/repath.sock"}) {
    EXPECT_TRUE(set_config(config, "listen", good).ok()) << good;
  }
  for (const char* bad : {"7700", ":7700", "host:", "host:70000", "host:7x", "unix:"}) {
    EXPECT_FALSE(set_config(config, "listen", bad).ok()) << bad;
  }
  EXPECT_FALSE(set_config(config, "admin", "unix:/run/admin.sock").ok());
}

TEST(Config, ProtectionIsChecked) {
  Config config;
  EXPECT_TRUE(set_config(config, "insecure", "on").ok());
  EXPECT_TRUE(config.is_insecure);
  EXPECT_TRUE(set_config(config, "reflection", "off").ok());
  EXPECT_FALSE(config.has_reflection);
  EXPECT_FALSE(set_config(config, "reflection", "no").ok());
  EXPECT_TRUE(set_config(config, "tokens", "/etc/repath/tokens").ok());
  EXPECT_EQ(config.tokens, "/etc/repath/tokens");
  EXPECT_FALSE(set_config(config, "tls-cert", "").ok());
  EXPECT_TRUE(set_config(config, "admin-host", "metrics.example.org", true).ok());
  EXPECT_TRUE(set_config(config, "admin-host", "server", false).ok());
  EXPECT_EQ(config.admin_hosts, (std::vector<std::string>{"metrics.example.org", "server"}));
  EXPECT_FALSE(set_config(config, "admin-host", "server:7780", false).ok());
}

TEST(Config, DataIsAFolderOrNone) {
  Config config;
  EXPECT_EQ(config.data, "none");
  EXPECT_TRUE(set_config(config, "data", "/var/lib/repath").ok());
  EXPECT_EQ(config.data, "/var/lib/repath");
  EXPECT_TRUE(set_config(config, "data", "none").ok());
  EXPECT_EQ(config.data, "none");
  EXPECT_FALSE(set_config(config, "data", "").ok());
}

TEST_F(ConfigFile, SetsWhatItNames) {
  Config config;
  const absl::Status status = read(
      "# a comment\n"
      "\n"
      "listen = 0.0.0.0:7700\r\n"
      "listen = unix:/tmp/r.sock   # a second one\n"
      "  worlds-max=7\n"
      "log-level = debug\n",
      config);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(config.listen, (std::vector<std::string>{"0.0.0.0:7700", "unix:/tmp/r.sock"}));
  EXPECT_EQ(config.limits.worlds_max, 7u);
  EXPECT_EQ(config.log_level, "debug");
}

TEST_F(ConfigFile, ACommentBeginsALineOrFollowsABlank) {
  Config config;
  const absl::Status status = read(
      "#data = /nowhere\n"
      "  # worlds-max = 7\n"
      "tokens = /etc/repath/#1/tokens#2\t# kept up to here\n"
      "data = /var/lib/a#b\n"
      "console-dir = #\n",
      config);
  EXPECT_EQ(config.tokens, "/etc/repath/#1/tokens#2");
  EXPECT_EQ(config.data, "/var/lib/a#b");
  EXPECT_EQ(config.limits.worlds_max, Limits().worlds_max);
  EXPECT_EQ(std::string(status.message()), path_ + ":5: console-dir: must be a path");
}

TEST_F(ConfigFile, AnErrorNamesFileLineAndReason) {
  Config config;
  const absl::Status status = read("worlds-max = 7\n\nframe-rate-hz = 0\n", config);
  EXPECT_EQ(std::string(status.message()),
            path_ + ":3: frame-rate-hz: '0' is not a whole number in [1, 1000]");
}

TEST_F(ConfigFile, UnknownDoubledAndShapelessLinesAreRefused) {
  Config config;
  EXPECT_EQ(error_reason(read("colour = red\n", config)), "CONFIG_UNKNOWN");
  EXPECT_EQ(error_reason(read("worlds-max = 7\nworlds-max = 8\n", config)), "CONFIG_VALUE");
  EXPECT_EQ(error_reason(read("worlds-max 7\n", config)), "CONFIG_SYNTAX");
}

TEST_F(ConfigFile, AFileThatIsNotThereIsAnError) {
  Config config;
  EXPECT_EQ(read_config_file("/nonexistent/repath.conf", config).code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace repath
