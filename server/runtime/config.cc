#include "runtime/config.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <system_error>

#include "base/error.h"

namespace repath {
namespace {

struct Number {
  std::string_view name;
  std::uint64_t Limits::*value;
  std::uint64_t least;
  std::uint64_t most;
  std::string_view help;
};

constexpr std::array kNumbers{
    Number{"worlds-max", &Limits::worlds_max, 1, 100'000, "Maximum number of worlds."},
    Number{"agents-per-world-max", &Limits::agents_per_world_max, 1, 10'000'000,
           "Maximum number of agents in a world."},
    Number{"sessions-per-world-max", &Limits::sessions_per_world_max, 1, 100'000,
           "Maximum number of sessions of a world, those without a stream included."},
    Number{
        "sessions-per-client-max", &Limits::sessions_per_client_max, 0, 100'000,
        "Maximum number of sessions of a world that one client opened; 0: half of all. A client is "
        "a token, or an address."},
    Number{"session-ttl-max-s", &Limits::session_ttl_max_s, 1, 86'400,
           "Longest time that a session may outlive its stream, in seconds."},
    Number{"watches-per-world-max", &Limits::watches_per_world_max, 1, 100'000,
           "Maximum number of WatchPaths streams of a world, and of WatchWorld streams."},
    Number{"stream-backlog-mb", &Limits::stream_backlog_mb, 1, 65'536,
           "Memory for the events that the streams of a world have not sent yet, in MiB. Above it "
           "the streams with most of them are ended."},
    Number{"memory-total-mb", &Limits::memory_total_mb, 16, 16'777'216,
           "Memory for maps, views and search state of all worlds, in MiB. A world that does not "
           "fit is refused. The process may use 256 MiB more, or the limit of its control group or "
           "machine if that is less; near that, calls are refused."},
    Number{"import-mb-max", &Limits::import_mb_max, 1, 4096,
           "Maximum size of an imported map file, in MiB."},
    Number{"import-total-mb", &Limits::import_total_mb, 1, 16'777'216,
           "Memory for the files of all imports under way and for reading them, in MiB. Further "
           "imports are refused."},
    Number{
        "import-work-units", &Limits::import_work_units, 1'000'000, 1'000'000'000'000,
        "Maximum work to make a world from a file, in units of about 3 ns. Each byte of the file "
        "allows 256 more. A file that needs more is refused."},
    Number{"idle-unload-s", &Limits::idle_unload_s, 0, 86'400,
           "Time after which an unused world of the data folder is put out of memory, in seconds; "
           "0: never."},
    Number{
        "world-memory-mb", &Limits::world_memory_mb, 1, 1'000'000,
        "Memory for map, views and search state of a world that sets no memory_limit_mb, in MiB."},
    Number{"frame-rate-hz", &Limits::frame_rate_hz, 1, 1000,
           "Frames per second of a world that sets no frame_rate_hz."},
    Number{"frame-budget-us", &Limits::frame_budget_us, 50, 10'000'000,
           "Planning time per frame of a world that sets no budget, in microseconds."},
    Number{"history-revisions", &Limits::history_revisions, 1, 1'000'000,
           "Number of batches that a world keeps for watchers if it sets no history_revisions."},
    Number{"history-mb", &Limits::history_mb, 1, 65'536,
           "Memory for the batches that a world keeps, in MiB."},
    Number{
        "verdicts-mb", &Limits::verdicts_mb, 0, 4096,
        "Memory for past verdicts of a world's agents, in MiB: up to 64 of each agent. 0: none are "
        "kept."},
    Number{"record-mb", &Limits::record_mb, 1, 1'048'576,
           "With --record: maximum size of a recording, in MiB. The world goes on without one."},
    Number{"record-total-mb", &Limits::record_total_mb, 1, 16'777'216,
           "With --record: maximum size of all recordings in the folder, in MiB. None is removed. "
           "Above it, or if less than 256 MiB of the disk are free, recordings end and none begins "
           "until there is room again."},
    Number{"world-threads", &Limits::world_threads, 0, 256,
           "Number of threads that run the worlds; 0: one for each core."},
    Number{"query-threads", &Limits::query_threads, 0, 256,
           "Number of threads that answer queries and make worlds; 0: one for each core."},
    Number{"writer-threads", &Limits::writer_threads, 1, 256,
           "Number of threads that build and write messages."},
    Number{"plan-workers", &Limits::plan_workers, 0, 64,
           "Number of extra threads for the searches of a world. The answers are the same with any "
           "number."},
    Number{"query-queue-max", &Limits::query_queue_max, 1, 1'000'000,
           "Maximum number of queries that wait or run. More are refused with RESOURCE_EXHAUSTED."},
    Number{"query-max-ms", &Limits::query_max_ms, 10, 3'600'000,
           "Maximum time that a query runs, in milliseconds."},
    Number{"query-expansions-max", &Limits::query_expansions_max, 1000, 1'000'000'000'000,
           "Maximum number of nodes that a query expands."},
    Number{"query-memory-mb", &Limits::query_memory_mb, 1, 1'000'000,
           "Maximum memory for the search state of a query, in MiB."},
    Number{
        "long-queries-max", &Limits::long_queries_max, 1, 256,
        "Maximum number of long queries at a time, half of them for one client. Queries that have "
        "run for 50 ms are long. They have threads of their own with low priority."},
    Number{
        "drain-timeout-ms", &Limits::drain_timeout_ms, 0, 600'000,
        "Time in which the server ends after SIGTERM or SIGINT, in milliseconds. Calls still under "
        "way are cancelled when a quarter of it is left, or one second if that is less."},
    Number{"connections-max", &Limits::connections_max, 1, 1'000'000,
           "Maximum number of connections to the addresses of gRPC; less if the process may open "
           "fewer files."},
    Number{"connections-per-address-max", &Limits::connections_per_address_max, 0, 1'000'000,
           "Maximum number of connections from one address; 0: half of all."},
    Number{"streams-per-connection-max", &Limits::streams_per_connection_max, 1, 1'000'000,
           "Maximum number of calls and streams on a connection at a time. Clients wait for a free "
           "one."},
    Number{"resets-per-connection-max", &Limits::resets_per_connection_max, 1, 1'000'000,
           "Maximum number of calls that a connection cancels within a second. Above it the "
           "connection is closed."},
    Number{"calls-max", &Limits::calls_max, 1, 10'000'000,
           "Maximum number of calls and streams under way."},
    Number{
        "calls-per-client-max", &Limits::calls_per_client_max, 1, 10'000'000,
        "Maximum number of calls and streams of one client under way. A client is a token, or an "
        "address."},
    Number{"calls-per-second-max", &Limits::calls_per_second_max, 0, 10'000'000,
           "Maximum number of calls and streams that one client begins in a second; 0: no limit. "
           "Messages of an open stream do not count."},
    Number{"expansions-per-second-max", &Limits::expansions_per_second_max, 0, 1'000'000'000'000,
           "Maximum number of nodes that the queries of one client expand in a second, on average; "
           "0: no limit. A client that is above it begins no query."},
    Number{"held-mb-max", &Limits::held_mb_max, 8, 16'777'216,
           "Memory for requests under way and answers not read yet, in MiB."},
    Number{
        "held-mb-per-client-max", &Limits::held_mb_per_client_max, 8, 16'777'216,
        "Memory for requests under way and answers not read yet of one client, in MiB. At most a "
        "quarter of --held-mb-max."},
    Number{"send-timeout-s", &Limits::send_timeout_s, 1, 86'400,
           "Time in which a client must take an answer or a message of a stream, in seconds. The "
           "call is then cancelled."},
    Number{"admin-connections-max", &Limits::admin_connections_max, 1, 10'000,
           "Maximum number of HTTP connections to the admin address."},
    Number{"admin-timeout-ms", &Limits::admin_timeout_ms, 10, 600'000,
           "Maximum time to read one HTTP request, and to write its answer, in milliseconds."},
    Number{"http-connections-max", &Limits::http_connections_max, 1, 10'000,
           "Maximum number of HTTP connections to the address of --http, half of them from one "
           "address."},
    Number{"http-sockets-max", &Limits::http_sockets_max, 1, 10'000,
           "Maximum number of WebSockets on all HTTP addresses, half of them from one address."},
    Number{"http-call-ms", &Limits::http_call_ms, 10, 600'000,
           "Maximum time for one call by HTTP, in milliseconds. A client may set less."},
};

constexpr std::array<std::string_view, 7> kLogLevels{"trace", "debug",    "info", "warning",
                                                     "error", "critical", "off"};

absl::Status bad_value(std::string_view name, const std::string& why) {
  return invalid_field("CONFIG_VALUE", name, why);
}

absl::Status bad_syntax(const std::string& why) { return invalid_field("CONFIG_SYNTAX", "", why); }

std::string range_text(const Number& n) {
  return "[" + std::to_string(n.least) + ", " + std::to_string(n.most) + "]";
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t parsed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return parsed;
}

absl::Status set_number(Limits& limits, const Number& setting, std::string_view text) {
  const std::optional<std::uint64_t> parsed = whole_number(text);
  if (!parsed || *parsed < setting.least || *parsed > setting.most) {
    return bad_value(setting.name,
                     "'" + std::string(text) + "' is not a whole number in " + range_text(setting));
  }
  limits.*setting.value = *parsed;
  return absl::OkStatus();
}

// Checks an address: HOST:PORT, [HOST6]:PORT or, if allowed, unix:/path.
absl::Status check_address(std::string_view name, std::string_view text, bool unix_allowed) {
  constexpr std::string_view kUnix = "unix:";
  if (unix_allowed && text.substr(0, kUnix.size()) == kUnix) {
    if (text.size() > kUnix.size() && text.size() <= 107) return absl::OkStatus();
    return bad_value(name, "a unix socket's path has 1 to 102 characters");
  }
  const std::size_t colon = text.rfind(':');
  if (colon != std::string_view::npos && colon > 0) {
    const std::optional<std::uint64_t> port = whole_number(text.substr(colon + 1));
    if (port && *port <= 65'535) return absl::OkStatus();
  }
  return bad_value(name, "'" + std::string(text) + "' is not HOST:PORT" +
                             (unix_allowed ? " or unix:/path" : "") + " with a port in [0, 65535]");
}

struct PathSetting {
  std::string_view name;
  std::string Config::*value;
  std::string_view help;
};

constexpr std::array kPaths{
    PathSetting{"tls-cert", &Config::tls_cert,
                "File with the server's certificate and its chain in PEM. TCP addresses of gRPC "
                "then have TLS, and HTTP addresses that other machines reach, unless --insecure is "
                "given. A newer file is in use within 5 s."},
    PathSetting{"tls-key", &Config::tls_key, "File with the key of --tls-cert in PEM."},
    PathSetting{"tls-client-ca", &Config::tls_client_ca,
                "File with the authorities of client certificates in PEM. Clients must then show "
                "one."},
    PathSetting{"tokens", &Config::tokens,
                "File with the tokens that may call, see `repath token create`. SIGHUP reads it "
                "again."},
    PathSetting{"console-dir", &Config::console_dir,
                "Folder with the console's files, read at each request, instead of those that are "
                "built in."},
    PathSetting{"backup-dir", &Config::backup_dir,
                "Folder below which `repath backup` may write, made if it is missing. Without it "
                "backups are refused."},
    PathSetting{"record", &Config::record_dir,
                "Folder for recordings, made if it is missing: everything that comes in to each "
                "world, from when it is made or loaded, for `repath play`."},
};

struct SwitchSetting {
  std::string_view name;
  bool Config::*value;
  std::string_view help;
};

constexpr std::array kSwitches{
    SwitchSetting{"insecure", &Config::is_insecure,
                  "Lets the server listen without TLS on addresses that other machines reach."},
    SwitchSetting{
        "reflection", &Config::has_reflection,
        "Whether gRPC reflection is served, which describes the API to any client: on or off."},
};

absl::Status set_switch(Config& config, const SwitchSetting& setting, std::string_view text) {
  if (text != "on" && text != "off")
    return bad_value(setting.name, "'" + std::string(text) + "' is neither on nor off");
  config.*setting.value = text == "on";
  return absl::OkStatus();
}

absl::Status set_host(Config& config, std::string_view text, bool first) {
  constexpr std::size_t kHostsMax = 64;
  if (first) config.admin_hosts.clear();
  if (text.empty() || text.size() > 253 || text.find_first_of(":/ ") != std::string_view::npos)
    return bad_value("admin-host", "'" + std::string(text) + "' is no host name");
  if (config.admin_hosts.size() == kHostsMax)
    return bad_value("admin-host", "at most " + std::to_string(kHostsMax) + " may be given");
  config.admin_hosts.emplace_back(text);
  return absl::OkStatus();
}

absl::Status set_text(Config& config, std::string_view name, std::string_view text, bool first) {
  for (const PathSetting& path : kPaths) {
    if (path.name != name) continue;
    if (text.empty()) return bad_value(name, "must be a path");
    config.*path.value = text;
    return absl::OkStatus();
  }
  for (const SwitchSetting& one : kSwitches)
    if (one.name == name) return set_switch(config, one, text);
  if (name == "admin-host") return set_host(config, text, first);
  if (name == "listen") {
    REPATH_RETURN_IF_ERROR(check_address(name, text, true));
    if (first) config.listen.clear();
    config.listen.emplace_back(text);
  } else if (name == "admin") {
    REPATH_RETURN_IF_ERROR(check_address(name, text, false));
    config.admin = text;
  } else if (name == "http") {
    if (text != "none") REPATH_RETURN_IF_ERROR(check_address(name, text, false));
    config.http = text;
  } else if (name == "data") {
    if (text.empty()) return bad_value(name, "must be a folder, or none");
    config.data = text;
  } else if (name == "log-level") {
    if (std::find(kLogLevels.begin(), kLogLevels.end(), text) == kLogLevels.end()) {
      return bad_value(name, "'" + std::string(text) +
                                 "' is none of trace, debug, info, warning, error, critical, off");
    }
    config.log_level = text;
  } else {
    return invalid_field("CONFIG_UNKNOWN", name,
                         "there is no such setting; `repathd --help` lists all");
  }
  return absl::OkStatus();
}

constexpr std::string_view kBlank = " \t\r";

std::string_view trimmed(std::string_view s) {
  const std::size_t begin = s.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return s.substr(begin, s.find_last_not_of(kBlank) - begin + 1);
}

// Returns the line without its comment, which begins with a `#` that is the first character or
// follows a blank. Paths and host names may have a `#` elsewhere.
std::string_view without_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1))
    if (at == 0 || kBlank.find(line[at - 1]) != std::string_view::npos) return line.substr(0, at);
  return line;
}

// Reads one line of the file; empty lines and comments set nothing.
absl::Status read_line(std::string_view line, Config& config, std::set<std::string>& seen) {
  line = trimmed(without_comment(line));
  if (line.empty()) return absl::OkStatus();
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return bad_syntax("expected `key = value`");
  const std::string_view key = trimmed(line.substr(0, equals));
  const bool first = seen.insert(std::string(key)).second;
  if (!first && key != "listen" && key != "admin-host") return bad_value(key, "is set twice");
  return set_config(config, key, trimmed(line.substr(equals + 1)), first);
}

constexpr std::size_t kConfigLineMax = 4096;
constexpr int kConfigLinesMax = 10'000;

absl::Status unreadable(const std::string& path, const std::string& why) {
  return make_error(absl::StatusCode::kNotFound, "CONFIG_FILE", "", path + ": " + why);
}

std::string error_text() { return std::generic_category().message(errno); }

// Reads a line without its end. Returns OUT_OF_RANGE at the end of the file. Reads little of a file
// that is no text before it notices that.
absl::Status next_line(std::istream& file, std::string* line) {
  line->clear();
  for (char c = 0; file.get(c) && c != '\n';) {
    const bool is_control = static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\r';
    if (is_control || c == '\x7f') return bad_syntax("the line has a byte that is not text");
    if (line->size() == kConfigLineMax)
      return bad_syntax("the line is longer than " + std::to_string(kConfigLineMax) + " bytes");
    *line += c;
  }
  if (file.bad())
    return make_error(absl::StatusCode::kNotFound, "CONFIG_FILE", "",
                      "the file cannot be read: " + error_text());
  return file.eof() && line->empty() ? absl::OutOfRangeError("") : absl::OkStatus();
}

}  // namespace

std::vector<Setting> settings() {
  const Config defaults;
  std::vector<Setting> all{
      {"listen", "Address on which gRPC is served: HOST:PORT or unix:/path. Repeatable.",
       defaults.listen.front(), "", true},
      {"admin",
       "Address on which /livez, /readyz, /metrics, the console and the API by HTTP are served: "
       "HOST:PORT.",
       defaults.admin, ""},
      {"http",
       "Address on which the API alone is served by HTTP and WebSocket: HOST:PORT; none: on "
       "--admin only.",
       defaults.http, ""},
      {"data",
       "Folder in which worlds outlive the process, made if it is missing; none: worlds are in "
       "memory alone.",
       defaults.data, ""},
      {"log-level",
       "Lowest level of messages that are logged: trace, debug, info, warning, error, critical or "
       "off.",
       defaults.log_level, ""},
      {"admin-host",
       "Host name under which the HTTP addresses may be used, beside localhost and addresses. "
       "Repeatable.",
       "", "", true},
  };
  for (const PathSetting& path : kPaths) all.push_back({path.name, path.help, "", ""});
  for (const SwitchSetting& one : kSwitches)
    all.push_back({one.name, one.help, defaults.*one.value ? "on" : "off", "", false,
                   one.value == &Config::is_insecure});
  for (const Number& n : kNumbers) {
    all.push_back({n.name, n.help, std::to_string(defaults.limits.*n.value), range_text(n)});
  }
  return all;
}

absl::Status set_config(Config& config, std::string_view name, std::string_view text, bool first) {
  for (const Number& n : kNumbers) {
    if (n.name == name) return set_number(config.limits, n, text);
  }
  return set_text(config, name, text, first);
}

absl::Status read_config_file(const std::string& path, Config& config) {
  std::error_code no_error;
  if (std::filesystem::is_directory(path, no_error))
    return unreadable(path, "it is a folder, not a file");
  std::ifstream file(path);
  if (!file) return unreadable(path, "the file cannot be read: " + error_text());
  std::set<std::string> seen;
  std::string line;
  for (int number = 1; number <= kConfigLinesMax; ++number) {
    absl::Status status = next_line(file, &line);
    if (absl::IsOutOfRange(status)) return absl::OkStatus();
    if (status.ok()) status = read_line(line, config, seen);
    if (!status.ok()) {
      return make_error(status.code(), error_reason(status), "",
                        path + ":" + std::to_string(number) + ": " + std::string(status.message()));
    }
  }
  return unreadable(path, "it has more than " + std::to_string(kConfigLinesMax) + " lines");
}

}  // namespace repath
