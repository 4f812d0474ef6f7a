#include "cli/context.h"

#include <unistd.h>

#include <chrono>
#include <iostream>
#include <optional>
#include <system_error>

#include "cli/read_file.h"
#include "cli/visible_text.h"
#include "repath/internal/channel.h"
#include "repath/internal/error_from.h"

namespace repath::cli {
namespace {

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

std::shared_ptr<grpc::Channel> CommandContext::channel() {
  if (channel_ == nullptr) {
    // A run that goes on over a restart of the server should notice it soon.
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
    arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 1000);  // the longest wait for an answer
    arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
    channel_ = client::make_channel(server, security(), arguments);
  }
  return channel_;
}

client::Security CommandContext::security() const {
  const auto content = [](const std::string& path) {
    std::error_code error;
    const auto text = path.empty() ? std::nullopt : read_file(path, error);
    // Without its content the file's name stands for it: a connection that should have TLS then
    // fails, and sends no token in the open.
    return text && !text->empty() ? *text : path;
  };
  return {token, content(tls_ca), content(tls_certificate), content(tls_key)};
}

void CommandContext::print_json(const Json& object) const {
  has_printed_ = true;
  print_json_line(object);
}

void CommandContext::print_json_line(const Json& object) const {
  std::cout << object.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace)
            << std::endl;
}

void CommandContext::print_error(const client::Error& error) const {
  if (!json || has_printed_) return;
  print_json({{"error",
               {{"code", client::code_name(error.code)},
                {"reason", error.reason},
                {"field", error.field},
                {"message", error.message}}}});
}

void CommandContext::check_failed(std::string_view message) {
  std::cerr << "repath: " << visible(message) << std::endl;
  failed_check_ = message;
  exit_code = kCheckFailed;
}

void CommandContext::usage_error(std::string_view message) {
  print_error({client::Code::kInvalidArgument, "WRONG_USAGE", "", std::string(message)});
  std::cerr << "repath: " << message << std::endl;
  exit_code = kWrongUsage;
}

void CommandContext::finish() const {
  if (failed_check_.empty()) return;
  print_error({client::Code::kFailedPrecondition, "CHECK_FAILED", "", failed_check_});
}

void CommandContext::refused(const grpc::Status& status) { refused(client::error_from(status)); }

void CommandContext::refused(const client::Error& error) {
  exit_code = kRefused;
  print_error(error);
  if (error.code == client::Code::kUnavailable && error.reason.empty()) {
    std::cerr << "repath: no server answers at " << server << ": " << visible(error.message)
              << "\n        Is repathd running there? --server ADDR names another." << std::endl;
    return;
  }
  std::cerr << "repath: "
            << (error.reason.empty() ? client::code_name(error.code) : visible(error.reason));
  // The message begins with the field that it is about.
  const bool named = !error.field.empty() && error.message.rfind(error.field + ": ", 0) == 0;
  if (!error.field.empty() && !named) std::cerr << " in " << visible(error.field);
  std::cerr << (named ? " in " : ": ") << visible(error.message) << std::endl;
  if (error.reason == "AGENT_OWNED") {
    std::cerr << "        --session ID acts for the session that owns the agent; "
                 "`repath agent add --take-over` takes it over."
              << std::endl;
  }
}

void CommandContext::file_refused(const client::Error& error) {
  refused(error);
  exit_code = kWrongUsage;
}

bool CommandContext::accepted(const grpc::Status& status) {
  if (!status.ok()) refused(status);
  return status.ok();
}

Progress::Progress(std::string what) : what_(std::move(what)), terminal_(stderr_is_terminal()) {}

Progress::~Progress() { clear(); }

void Progress::show(std::uint64_t done, std::uint64_t total, std::string_view note) {
  constexpr std::int64_t kRedrawMs = 50;
  if (!terminal_) return;
  const std::int64_t now = now_ms();
  if (drawn_ && now - last_ms_ < kRedrawMs && done != total) return;
  last_ms_ = now;
  drawn_ = true;
  std::cerr << "\r\x1b[K" << what_ << ' ' << done;
  if (total > 0) std::cerr << " of " << total << " (" << 100 * done / total << " %)";
  if (!note.empty()) std::cerr << "  " << note;
  std::cerr << std::flush;
}

void Progress::clear() {
  if (drawn_) std::cerr << "\r\x1b[K" << std::flush;
  drawn_ = false;
}

CLI::App* add_command(CLI::App& parent, CommandContext& context, const std::string& name,
                      const std::string& description, const std::string& example) {
  CLI::App* command = parent.add_subcommand(name, description);
  command->footer("Example:\n  " + example);
  command->add_flag("--json", context.json, "Print one JSON object on one line");
  return command;
}

bool stdout_is_terminal() { return ::isatty(STDOUT_FILENO) == 1; }
bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

std::string short_name(std::string_view full_name, std::string_view prefix) {
  if (full_name.substr(0, prefix.size()) == prefix) full_name.remove_prefix(prefix.size());
  return std::string(full_name);
}

}  // namespace repath::cli
