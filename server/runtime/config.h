// Every setting of an operator and every limit of the server, in one place. A setting has one name,
// one default and one range. Its name is both the flag (`--drain-timeout-ms 500`) and the key in
// the config file (`drain-timeout-ms = 500`).
//
// Limits of single requests (cells, vertices, agents in a message) are not settings; the .proto
// files have them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace repath {

struct Limits {
  // Worlds.
  std::uint64_t worlds_max = 1000;
  std::uint64_t agents_per_world_max = 1'000'000;
  std::uint64_t sessions_per_world_max = 2048;
  std::uint64_t sessions_per_client_max = 0;  // in one world; 0: half of all
  std::uint64_t session_ttl_max_s = 86'400;
  std::uint64_t watches_per_world_max = 1024;
  std::uint64_t stream_backlog_mb = 256;
  std::uint64_t memory_total_mb = 16'384;
  std::uint64_t import_mb_max = 512;
  std::uint64_t import_total_mb = 4096;
  std::uint64_t import_work_units = std::uint64_t{1} << 28;
  std::uint64_t idle_unload_s = 300;
  // Defaults of a world's options.
  std::uint64_t world_memory_mb = 4096;
  std::uint64_t frame_rate_hz = 60;
  std::uint64_t frame_budget_us = 12'000;
  std::uint64_t history_revisions = 10'000;
  std::uint64_t history_mb = 64;
  std::uint64_t verdicts_mb = 4;
  std::uint64_t record_mb = 1024;          // of one recording
  std::uint64_t record_total_mb = 10'240;  // of all recordings in the folder
  // Threads; 0 means one for each core.
  std::uint64_t world_threads = 0;
  std::uint64_t query_threads = 0;
  std::uint64_t writer_threads = 2;
  std::uint64_t plan_workers = 0;  // in addition to the world's own thread
  // Queues and time.
  std::uint64_t query_queue_max = 1024;
  std::uint64_t query_max_ms = 30'000;
  std::uint64_t query_expansions_max = 1'000'000'000;
  std::uint64_t query_memory_mb = 1024;
  std::uint64_t long_queries_max = 8;
  std::uint64_t drain_timeout_ms = 8'000;
  // Connections and calls.
  std::uint64_t connections_max = 25'000;
  std::uint64_t connections_per_address_max = 0;  // 0: half of connections_max
  std::uint64_t streams_per_connection_max = 2048;
  std::uint64_t resets_per_connection_max = 2000;  // cancelled calls within a second
  std::uint64_t calls_max = 65'536;
  std::uint64_t calls_per_client_max = 16'384;
  std::uint64_t calls_per_second_max = 0;       // of one client; 0: no limit
  std::uint64_t expansions_per_second_max = 0;  // the same for its queries
  std::uint64_t held_mb_max = 1024;
  std::uint64_t held_mb_per_client_max = 256;
  std::uint64_t send_timeout_s = 60;
  std::uint64_t admin_connections_max = 64;
  std::uint64_t admin_timeout_ms = 5000;
  std::uint64_t http_connections_max = 256;
  std::uint64_t http_sockets_max = 256;
  std::uint64_t http_call_ms = 60'000;
  bool records_worlds = false;  // follows from Config::record_dir
};

struct Config {
  std::vector<std::string> listen{"127.0.0.1:7700"};
  std::string admin = "127.0.0.1:7780";
  std::string http = "none";  // an address; "none": HTTP is served on the admin address alone
  std::string data = "none";  // a folder; "none": worlds are in memory alone
  std::string log_level = "info";
  // Paths of files that protect the server; empty: not set.
  std::string tls_cert;
  std::string tls_key;
  std::string tls_client_ca;
  std::string tokens;
  std::string console_dir;   // empty: the console that is built in
  std::string backup_dir;    // folder below which backups are written; empty: none are
  std::string record_dir;    // folder for recordings; empty: worlds are not recorded
  bool is_insecure = false;  // addresses in reach of other machines need no TLS
  bool has_reflection = true;
  std::vector<std::string> admin_hosts;
  Limits limits;
};

// One line of `--help` and one key of the config file.
struct Setting {
  std::string_view name;
  std::string_view help;      // one sentence
  std::string default_value;  // as text
  std::string range;          // as text; empty if `help` states it
  bool repeatable = false;
  bool is_flag = false;  // may stand on the command line without a value, which means on
};
std::vector<Setting> settings();

// Sets one value from text. For a repeatable setting the first call replaces the default, and
// further calls add values; `first` marks the first call. Returns INVALID_ARGUMENT with reason
// CONFIG_UNKNOWN or CONFIG_VALUE and the range.
absl::Status set_config(Config& config, std::string_view name, std::string_view text,
                        bool first = true);

// Reads lines `key = value`. A `#` at the beginning of a line or after a blank begins a comment. A
// repeatable key may occur several times, any
// other key once. Lines have at most 4096 bytes of text. Error messages begin with "path:line: ".
// Returns NOT_FOUND with the cause if the file cannot be read or is a folder.
absl::Status read_config_file(const std::string& path, Config& config);

}  // namespace repath
