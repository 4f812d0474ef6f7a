// The context that all commands of `repath` share: the server, how to print, and the exit status.
//
// A command runs on the main thread and prints its answer with `print_json` or as text on stdout.
// It reports failures by `check_failed`, `usage_error` or `refused`; the last one called decides
// the exit status. With --json stdout has exactly one object on one line, whatever the exit status:
// the answer, or else {"error": {code, reason, field, message}} for the first failure. A command
// that follows a stream prints an object a line instead, and the error, if any, as the last one.
//
// Exit status: 0 done, 1 the check that was asked for failed, 2 wrong usage or a file (or stdout)
// that cannot be used, 3 the server refused or is unreachable.
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
#include "repath/security.h"

namespace repath::cli {

// Keeps the order in which keys were added, so that output reads well.
using Json = nlohmann::ordered_json;

enum ExitCode : int { kDone = 0, kCheckFailed = 1, kWrongUsage = 2, kRefused = 3 };

struct CommandContext {
  std::string server = "127.0.0.1:7700";  // Or unix:/path.
  // Given on the command line: a token, and the paths of PEM files.
  std::string token;
  std::string tls_ca;
  std::string tls_certificate;
  std::string tls_key;
  bool json = false;  // JSON objects, each on a line of stdout, and nothing else there.
  int exit_code = kDone;

  // Token and TLS of connections to `server`. Reads the files, which are there: their options
  // check that.
  client::Security security() const;

  // The connection to `server`, made on the first call and shared by later ones.
  std::shared_ptr<grpc::Channel> channel();

  // A client of `Service` (repath::v1::WorldService, say) on that connection.
  template <typename Service>
  std::unique_ptr<typename Service::Stub> stub() {
    return Service::NewStub(channel());
  }

  // Prints one line on stdout, of ASCII alone, which no terminal obeys. Numbers that are not finite
  // become null.
  void print_json(const Json& object) const;

  // Prints one of many such lines, at once: a message of a stream. An error may follow.
  void print_json_line(const Json& object) const;

  // Reports that the check failed: `message` on stderr, exit status 1. The caller prints the
  // answer.
  void check_failed(std::string_view message);

  // Reports wrong usage, or a file that cannot be used: `message` on stderr, exit status 2.
  void usage_error(std::string_view message);

  // Reports that the server refused or is unreachable: reason, field and message on stderr, exit
  // status 3.
  void refused(const grpc::Status& status);
  void refused(const client::Error& error);

  // Reports an error about a file, of a command that asks no server: reason, field and message on
  // stderr, exit status 2.
  void file_refused(const client::Error& error);

  // Prints the error of a failed check as JSON if nothing else was printed. Call it last.
  void finish() const;

  // Says whether `status` is OK; if not, reports it as `refused`.
  bool accepted(const grpc::Status& status);

 private:
  void print_error(const client::Error& error) const;

  std::shared_ptr<grpc::Channel> channel_;
  mutable bool has_printed_ = false;  // one JSON object
  std::string failed_check_;
};

// A line on stderr that is rewritten in place, only where stderr is a terminal; else nothing is
// printed.
class Progress {
 public:
  // Shows `what` before the numbers: "importing".
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
