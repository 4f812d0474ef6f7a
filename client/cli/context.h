// What every command of `repath` shares: the server, how to print, and the exit status.
//
// A command runs on the main thread, prints its answer with `print_json` or as text on stdout, and
// reports failures by exactly one of `check_failed`, `usage_error` or `refused`; the last one
// called decides the exit status.
//
// Exit status: 0 done, 1 the check that was asked for failed, 2 wrong usage, 3 the server refused
// or is unreachable.
//
// Thread rule: one thread.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "repath/result.h"

namespace repath::cli {

// Keeps the order in which keys were added, so that output reads well.
using Json = nlohmann::ordered_json;

enum ExitCode : int { kDone = 0, kCheckFailed = 1, kWrongUsage = 2, kRefused = 3 };

struct CommandContext {
  std::string server = "127.0.0.1:7700";  // Or unix:/path.
  bool json = false;  // One JSON object on one line of stdout, nothing else there.
  int exit_code = kDone;

  // The connection to `server`, made on the first call and shared by later ones.
  std::shared_ptr<grpc::Channel> channel();

  // A client of `Service` (repath::v1::WorldService, say) on that connection.
  template <typename Service>
  std::unique_ptr<typename Service::Stub> stub() {
    return Service::NewStub(channel());
  }

  // One line on stdout. Numbers that are not finite become null.
  void print_json(const Json& object) const;

  // The check that was asked for failed: `message` on stderr, exit status 1. Print the answer
  // yourself.
  void check_failed(std::string_view message);

  // The command cannot mean anything: `message` on stderr, exit status 2.
  void usage_error(std::string_view message);

  // The server refused or is unreachable: reason, field and message on stderr, exit status 3. With
  // `json` also
  // {"error": {code, reason, field, message}} on stdout.
  void refused(const grpc::Status& status);
  void refused(const client::Error& error);

  // Says whether `status` is OK; if not, reports it as `refused`.
  bool accepted(const grpc::Status& status);

 private:
  std::shared_ptr<grpc::Channel> channel_;
};

// A line on stderr that is rewritten in place, only where stderr is a terminal; else nothing is
// printed.
class Progress {
 public:
  // `what` stands before the numbers: "importing".
  explicit Progress(std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Shows `done` of `total` (0: total unknown). Cheap: redraws at most 20 times a second.
  void show(std::uint64_t done, std::uint64_t total, std::string_view note = {});
  // Takes the line away. The destructor does so too.
  void clear();

 private:
  std::string what_;
  bool terminal_;
  bool drawn_ = false;
  std::int64_t last_ms_ = 0;
};

// Adds a command to `parent`: its description, an example under --help, and --json.
// The caller adds options and the callback. The command is owned by `parent`.
CLI::App* add_command(CLI::App& parent, CommandContext& context, const std::string& name,
                      const std::string& description, const std::string& example);

// Is this stream a terminal?
bool stdout_is_terminal();
bool stderr_is_terminal();

// The name of an enum value of the API without its prefix: "PATH_STATUS_COMPLETE" -> "COMPLETE".
std::string short_name(std::string_view full_name, std::string_view prefix);

}  // namespace repath::cli
