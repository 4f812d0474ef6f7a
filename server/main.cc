// repathd: reads flags and the config file, and serves worlds until SIGTERM or SIGINT. A second
// such signal ends the process at once. SIGHUP reads the files of tokens and TLS again.
//
// The exit status is 0 after a clean drain. It is 2 for wrong flags, a wrong config file, or a file
// or folder of a setting that cannot be used. It is 1 for any other failure, also if a drain left
// changes that are not on the disk. In each case the last log line gives the reason.
#include <grpc/support/log.h>
#include <pthread.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "base/error.h"
#include "gateway/http_ports.h"
#include "limits/descriptors.h"
#include "limits/memory_watch.h"
#include "limits/standard_streams.h"
#include "rpc/protection.h"
#include "rpc/server.h"
#include "rpc/world_codec.h"
#include "runtime/config.h"
#include "runtime/player.h"
#include "runtime/registry.h"
#include "runtime/threads.h"
#include "store/restore.h"
#include "store/sqlite_store.h"

namespace repath {
namespace {

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

// Has one flag for each setting.
class CommandLine {
 public:
  CommandLine() {
    app_.add_option(
        "--config", config_file_,
        "File with lines `name = value`, one for each flag to set; a # at the beginning of a line "
        "or after a blank begins a comment. Flags on the command line win.");
    const CLI::Validator path(
        [](const std::string& text) { return text.empty() ? "must be a path" : ""; }, "");
    app_.add_option("--restore", backup_,
                    "Make the folder --data of this backup and end; `repath restore` does it.")
        ->check(path);
    app_.add_option("--play", recording_,
                    "Play this recording, compare what goes out with what went out then, and end; "
                    "`repath play` does it.")
        ->check(path);
    for (const Setting& setting : settings()) {
      std::string help(setting.help);
      if (!setting.default_value.empty()) help += " Default " + setting.default_value + ".";
      if (!setting.range.empty()) help += " Range " + setting.range + ".";
      const std::string flag = "--" + std::string(setting.name);
      std::vector<std::string>& given = given_[std::string(setting.name)];
      if (setting.is_flag) {
        const auto take = [&given](const std::string& value) {
          given = {value.empty() ? "on" : value};
        };
        app_.add_option_function<std::string>(flag, take, help)
            ->expected(0, 1)
            ->type_name("[on|off]");
        continue;
      }
      auto* option = app_.add_option(flag, given, help)->expected(1)->allow_extra_args(false);
      if (setting.repeatable) option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
    app_.set_version_flag("--version", "repathd " REPATH_VERSION, "Print the version and end.");
    app_.footer(
        "Example: repathd --listen 127.0.0.1:7700 --listen unix:/run/repath.sock --frame-rate-hz "
        "30");
  }

  // Return the backup to restore and the recording to play; empty: none, the server runs.
  const std::string& backup() const { return backup_; }
  const std::string& recording() const { return recording_; }

  // Returns the configuration. Otherwise the process must exit: after --help, or with the error in
  // `failure`.
  absl::StatusOr<Config> parse(int argc, char** argv, bool* help_shown) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      *help_shown = error.get_exit_code() == 0;
      if (*help_shown) app_.exit(error);
      return invalid_field("WRONG_USAGE", "", error.what());
    }
    Config config;
    if (!config_file_.empty()) {
      if (auto status = read_config_file(config_file_, config); !status.ok()) return status;
    }
    for (const auto& [name, values] : given_) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        const absl::Status status = set_config(config, name, values[i], /*first=*/i == 0);
        if (!status.ok())
          return make_error(status.code(), error_reason(status), "",
                            "--" + std::string(status.message()));
      }
    }
    config.limits.records_worlds = !config.record_dir.empty();
    return config;
  }

 private:
  CLI::App app_{"repathd: a pathfinding server for game worlds that change.", "repathd"};
  std::string config_file_;
  std::string backup_;
  std::string recording_;
  std::map<std::string, std::vector<std::string>> given_;
};

// Writes log lines to stderr, one after the other, as key=value after the event's name.
void set_up_log(const std::string& level) {
  spdlog::set_default_logger(spdlog::stderr_logger_mt("repathd"));
  spdlog::set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc);
  spdlog::set_level(spdlog::level::from_str(level));
  spdlog::flush_on(spdlog::level::trace);
  // Takes the log lines of gRPC, which otherwise have a format of their own.
  gpr_set_log_function(
      [](gpr_log_func_args* line) { spdlog::debug("grpc message=\"{}\"", line->message); });
}

// Writes the last line of the log. `error` in it is the reason of docs/errors.md, if there is one.
int failed(const absl::Status& status, int code) {
  const std::string error = error_reason(status);
  spdlog::critical("stopped exit={} reason=\"{}\"{}", code, std::string(status.message()),
                   error.empty() ? "" : " error=" + error);
  return code;
}

// The same for a failure at the start. Wrong settings are INVALID_ARGUMENT.
int failed_to_start(const absl::Status& status) {
  return failed(status, absl::IsInvalidArgument(status) ? kExitUsage : kExitFailed);
}

// Lets a SIGHUP wait until the server handles it, or no longer (SIG_BLOCK, SIG_UNBLOCK).
void mask_hangup(int how) {
  sigset_t hangup{};
  sigemptyset(&hangup);
  sigaddset(&hangup, SIGHUP);
  pthread_sigmask(how, &hangup, nullptr);
}

// Blocks the signals that the server handles, so that only wait() receives them. Threads that are
// made later inherit the mask.
class Signals {
 public:
  Signals() {
    sigemptyset(&set_);
    for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set_, number);
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
  }
  // Sets what SIGHUP does, on the thread that waits.
  void on_hangup(std::function<void()> reload) { reload_ = std::move(reload); }
  // Waits up to `most` for a signal that ends the server. Returns its name; null if none came.
  const char* wait(std::chrono::milliseconds most) const {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(most);
    const timespec limit{seconds.count(),
                         static_cast<long>(std::chrono::nanoseconds(most - seconds).count())};
    const int number = sigtimedwait(&set_, nullptr, &limit);
    if (number == SIGHUP && reload_) reload_();
    if (number == SIGINT) return "SIGINT";
    return number == SIGTERM ? "SIGTERM" : nullptr;
  }
  // Waits for such a signal; calls `look` four times a second meanwhile.
  template <class Look>
  const char* wait(Look look) const {
    for (;; look())
      if (const char* name = wait(std::chrono::milliseconds(250))) return name;
  }

 private:
  sigset_t set_{};
  std::function<void()> reload_;
};

// Ends the process at once, while the server drains, if another signal comes or if the calls in
// progress do not end in time. A signal within the first second counts as a repetition of the first
// one, because supervisors often send it twice or to a whole group.
void watch_drain(const std::stop_token& drained, const Signals& signals,
                 std::chrono::milliseconds most) {
  constexpr std::chrono::seconds kRepeated{1};
  const auto end_at_once = [](const std::string& why) {
    std::_Exit(failed(absl::AbortedError(why), kExitFailed));
  };
  const auto begun = std::chrono::steady_clock::now();
  while (!drained.stop_requested()) {
    const char* name = signals.wait(std::chrono::milliseconds(20));
    const auto now = std::chrono::steady_clock::now();
    if (name != nullptr && now - begun >= kRepeated)
      end_at_once("a second signal, " + std::string(name) + ", before all calls had ended");
    if (now >= begun + most) end_at_once("the drain did not end within its timeout");
  }
}

// Time that the last steps may take beyond the drain timeout before they are given up.
constexpr std::chrono::milliseconds kDrainGrace(1000);

// Writes the last line of the log after a drain, and returns the exit status. `kept` says whether
// all is on the disk. The process ends with that status at `last_moment`, if it has not ended by
// then, because gRPC's last threads may sleep for ten seconds before they end.
int drained(const std::string& signal, const absl::Status& kept,
            std::chrono::steady_clock::time_point last_moment) {
  const int code = kept.ok() ? 0 : kExitFailed;
  if (kept.ok()) {
    spdlog::info("stopped exit=0 reason=\"{}, drained\"", signal);
  } else {
    failed(make_error(kept.code(), error_reason(kept), "",
                      signal + ", drained, but " + std::string(kept.message())),
           code);
  }
  std::thread([code, last_moment] {
    std::this_thread::sleep_until(last_moment);
    std::_Exit(code);
  }).detach();
  return code;
}

// Makes the folder of a setting if it is missing. CONFIG_VALUE if it cannot be made, or if the
// server may not write there.
absl::Status make_folder(std::string_view setting, const std::string& folder) {
  if (folder.empty()) return absl::OkStatus();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && access(folder.c_str(), W_OK | X_OK) != 0)
    error.assign(errno, std::generic_category());
  if (!error) return absl::OkStatus();
  return invalid_field("CONFIG_VALUE", setting,
                       "the folder '" + folder + "' cannot be used: " + error.message());
}

absl::Status make_folders(const Config& config) {
  REPATH_RETURN_IF_ERROR(make_folder("backup-dir", config.backup_dir));
  return make_folder("record", config.record_dir);
}

// Returns null if worlds are to be kept in memory alone.
absl::StatusOr<std::unique_ptr<Store>> open_store(const Config& config) {
  if (config.data == "none") return nullptr;
  auto opened = SqliteStore::open(config.data);
  if (!opened.ok()) return opened.status();
  return std::unique_ptr<Store>(*std::move(opened));
}

// Writes snapshots, so that the next start has little to replay.
void save(Registry& registry, const Store* store, std::chrono::steady_clock::time_point ends_at) {
  if (store == nullptr || store->has_failed()) return;
  const auto most = std::chrono::duration_cast<std::chrono::milliseconds>(
      ends_at - std::chrono::steady_clock::now());
  for (const auto& [world, why] : registry.save_worlds(std::max(most, most.zero())))
    spdlog::warn("no snapshot world={} reason=\"{}\"", world, std::string(why.message()));
}

// Waits for the signal that ends the server, and returns its name. It keeps the server ready
// while that answers on its own address and its store has not failed.
const char* wait_for_end(const Signals& signals, HttpPorts& ports, const RpcServer& server,
                         const Store* store) {
  bool was_failed = false;
  return signals.wait([&] {
    ports.set_ready(!was_failed && server.answers());
    if (was_failed || store == nullptr || !store->has_failed()) return;
    was_failed = true;
    ports.set_ready(false);
    spdlog::critical("not ready reason=\"{}\" outcome=\"reads go on; restart the server\"",
                     std::string(store->health().message()));
  });
}

// Ends all streams and calls within `most`. Calls under way go on to their answers, by gRPC and by
// HTTP until the same time. The server then cancels the calls that are left, so that it is gone in
// time.
void drain(std::chrono::milliseconds most, HttpPorts& ports, RpcServer& server, Registry& registry,
           const Store* store) {
  ports.set_ready(false);
  server.set_not_serving();
  registry.drain();
  ports.stop_calls();
  const auto ends_at = std::chrono::steady_clock::now() + most;
  const auto saving = std::min(most / 4, std::chrono::milliseconds(1000));
  server.shut_down(static_cast<std::uint64_t>((most - saving).count()));
  ports.close(ends_at - saving);
  server.close_channel();
  save(registry, store, ends_at);
}

int serve(const Config& config) {
  Signals signals;
  if (auto status = check_threads(config.limits); !status.ok()) return failed(status, kExitFailed);
  const auto protection = ProtectionKeeper::start(config);
  if (!protection.ok()) return failed(protection.status(), kExitUsage);
  if (auto status = make_folders(config); !status.ok()) return failed_to_start(status);
  signals.on_hangup([&protection] { protection->reload(); });
  // The worlds' logs go with the registry and the threads, before the store.
  const auto opened = open_store(config);
  if (!opened.ok()) return failed(opened.status(), kExitFailed);
  Store* const store = opened->get();
  const ProtoCodec codec;
  Threads threads(config.limits);
  const auto registry_ptr = store == nullptr
                                ? std::make_unique<Registry>(config.limits, threads)
                                : std::make_unique<Registry>(config.limits, threads, *store, codec);
  Registry& registry = *registry_ptr;
  registry.set_backup_folder(config.backup_dir);
  if (config.limits.records_worlds)
    registry.record_in(
        {config.record_dir, config.limits.record_mb << 20,
         std::make_shared<RecordingTotal>(config.record_dir, config.limits.record_total_mb << 20),
         &threads.disk(), &proto_codec()});
  if (store != nullptr)
    if (auto status = registry.open(); !status.ok()) return failed(status, kExitFailed);
  const MemoryWatch memory(find_memory_limit(config.limits.memory_total_mb << 20),
                           threads.pressure(), [&] { registry.shrink(); });
  std::unique_ptr<RpcServer> server;  // outlives the ports, which show its figures
  std::atomic<const RpcServer*> serving{nullptr};
  const auto metrics = [&] {
    const RpcServer* const rpc = serving;
    return registry.metrics_text() + protection->metrics_text() + memory.metrics_text() +
           (rpc == nullptr ? std::string() : rpc->metrics_text());
  };
  const auto ports = HttpPorts::start(config, protection->protection(), metrics);
  if (!ports.ok()) return failed_to_start(ports.status());
  auto started = RpcServer::start(config.listen, registry, protection->protection());
  if (!started.ok()) return failed(started.status(), kExitFailed);
  server = *std::move(started);
  serving = server.get();
  (*ports)->open(*server);
  (*ports)->set_ready(true);
  for (const std::string& address : server->addresses()) spdlog::info("serving listen={}", address);
  spdlog::info("ready admin={} http={} durability={} data={}", (*ports)->admin_address(),
               (*ports)->http_address(), store == nullptr ? "memory" : "local_disk", config.data);

  const char* const signal = wait_for_end(signals, **ports, *server, store);
  spdlog::info("draining signal={} timeout_ms={}", signal, config.limits.drain_timeout_ms);
  const std::chrono::milliseconds most(config.limits.drain_timeout_ms);
  const auto last_moment = std::chrono::steady_clock::now() + most + kDrainGrace;
  absl::Status kept;
  {
    const std::jthread watch(
        [&](const std::stop_token& drained) { watch_drain(drained, signals, most + kDrainGrace); });
    drain(most, **ports, *server, registry, store);
    threads.stop_and_join();
    if (store != nullptr) kept = store->close();
  }
  return drained(signal, kept, last_moment);
}

// Prints why a file was not taken, one fact a line.
int refused(const absl::Status& status) {
  std::cout << "reason " << error_reason(status) << "\nmessage " << status.message() << std::endl;
  return failed(status, kExitFailed);
}

// Plays a recording, and prints what came of it, one fact a line. The exit status is 1 if other
// events came than then.
int play(const std::string& recording) {
  if (access(recording.c_str(), R_OK) != 0)
    return refused(make_error(absl::StatusCode::kNotFound, "RECORDING_UNREADABLE", "",
                              recording + " cannot be read: " + std::strerror(errno)));
  InlineExecutor executor;
  const auto played = play_recording(recording, proto_codec(), executor);
  if (!played.ok()) return refused(played.status());
  std::cout << "world " << played->world << "\ninputs " << played->inputs << "\nframes "
            << played->frames << "\nevents " << played->events << "\nrevision "
            << value(played->revision) << "\nstate_hash " << played->state_hash << "\ndifference "
            << played->difference << "\nis_cut_off " << played->is_cut_off << "\nend "
            << played->end << std::endl;
  return played->difference.empty() ? 0 : kExitFailed;
}

// Makes the data folder of a backup, and prints what it holds, or why not, one fact a line.
int restore(const Config& config, const std::string& backup) {
  const absl::Status status = config.data != "none"
                                  ? absl::OkStatus()
                                  : absl::InvalidArgumentError("--restore needs --data DIR");
  if (!status.ok()) return failed(status, kExitUsage);
  const auto restored = restore_backup(backup, config.data);
  if (!restored.ok()) return refused(restored.status());
  std::cout << "worlds " << restored->worlds << "\nfiles " << restored->files << "\nbytes "
            << restored->bytes << "\ntaken_at_us " << restored->taken_at << std::endl;
  return 0;
}

int run(int argc, char** argv) {
  hold_standard_streams();
  mask_hangup(SIG_BLOCK);
  // As Debian builds them, gRPC's mutexes otherwise look for deadlocks, which takes a tenth of the
  // time of a small call.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  set_up_log("info");
  CommandLine command_line;
  bool help_shown = false;
  const auto config = command_line.parse(argc, argv, &help_shown);
  if (help_shown) return 0;
  if (!config.ok()) return failed(config.status(), kExitUsage);
  spdlog::set_level(spdlog::level::from_str(config->log_level));
  const bool serves = command_line.recording().empty() && command_line.backup().empty();
  if (!serves) mask_hangup(SIG_UNBLOCK);
  try {
    if (!command_line.recording().empty()) return play(command_line.recording());
    if (!command_line.backup().empty()) return restore(*config, command_line.backup());
    return serve(*config);
  } catch (const std::exception& error) {
    return failed(absl::UnavailableError("cannot start: " + std::string(error.what())),
                  kExitFailed);
  }
}

}  // namespace
}  // namespace repath

int main(int argc, char** argv) { return repath::run(argc, argv); }
