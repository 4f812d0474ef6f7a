#include "cli/commands.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "cli/help_format.h"
#include "cli/read_file.h"

namespace repath::cli {
namespace {

// Refuses a file that cannot be read or is empty.
CLI::Validator pem_file() {
  return CLI::Validator(
      [](const std::string& path) {
        std::error_code error;
        const auto text = read_file(path, error);
        if (!text) return unreadable(path, error);
        return text->empty() ? path + ": is empty" : std::string();
      },
      "FILE");
}

// Refuses a port that no address has; gRPC would take its lowest 16 bits.
CLI::Validator server_address() {
  return CLI::Validator(
      [](const std::string& address) -> std::string {
        std::uint16_t port = 0;
        const char* const end = address.data() + address.size();
        const char* const at = address.data() + address.rfind(':') + 1;
        const auto [stop, error] = std::from_chars(at, end, port);
        const bool is_unix = address.rfind("unix:", 0) == 0;
        if (is_unix || stop != end || error != std::errc::result_out_of_range) return "";
        return "expected HOST:PORT with a port up to 65535, or unix:/path, got \"" + address + "\"";
      },
      "");
}

// Adds the address of the server, and the token and files with which to call it.
void add_connection_options(CLI::App& app, CommandContext& context) {
  app.add_option("--server", context.server,
                 "Address of the server, HOST:PORT or unix:/path; stands before the command")
      ->type_name("ADDR")
      ->envname("REPATH_SERVER")
      ->check(server_address())
      ->capture_default_str();
  app.add_option("--token", context.token,
                 "Token of the caller, ID.SECRET; better in the environment, which other users "
                 "cannot see")
      ->type_name("TOKEN")
      ->envname("REPATH_TOKEN");
  app.add_option("--tls-ca", context.tls_ca,
                 "Connect with TLS; authorities of the server's certificate, a PEM file")
      ->check(pem_file());
  auto* certificate =
      app.add_option("--tls-cert", context.tls_certificate,
                     "Certificate of this client, a PEM file, if the server asks for one")
          ->check(pem_file());
  auto* key = app.add_option("--tls-key", context.tls_key, "Key of --tls-cert, a PEM file")
                  ->check(pem_file());
  certificate->needs(key);
  key->needs(certificate);
}

void add_security_commands(CLI::App& app, CommandContext& context) {
  CLI::App* token = app.add_subcommand("token", "Make, list and revoke the tokens of a server")
                        ->require_subcommand(1);
  add_token_commands(*token, context);
  CLI::App* tls = app.add_subcommand("tls", "Check a server's certificate")->require_subcommand(1);
  add_tls_commands(*tls, context);
}

}  // namespace

void add_commands(CLI::App& app, CommandContext& context) {
  app.formatter(std::make_shared<HelpFormat>());  // commands take it over from their parent
  add_connection_options(app, context);
  app.require_subcommand(1);
  app.footer(
      "Places are cells X,Y on grids, and points X,Y,Z in world units everywhere (y is up).\n"
      "Every command has --help with an example, and --json, which prints one JSON object on one\n"
      "line of stdout, also if the command fails. Commands that follow a stream (world watch,\n"
      "agent watch, top) print such a line for each thing as it comes.\n"
      "Exit status: 0 done, 1 the check that was asked for failed, 2 wrong usage or a file (or\n"
      "stdout) that cannot be used, 3 the server refused or is unreachable.");

  CLI::App* world =
      app.add_subcommand("world", "Make, show, change and watch worlds")->require_subcommand(1);
  add_world_commands(*world, context);
  add_change_commands(*world, context);
  add_world_read_commands(*world, context);
  add_world_ground_commands(*world, context);
  add_world_history_commands(*world, context);
  CLI::App* path =
      app.add_subcommand("path", "Ask for paths and for reachable ground")->require_subcommand(1);
  add_path_commands(*path, context);
  add_path_check_commands(*path, context);
  add_area_commands(*path, context);
  add_explain_command(*path, context);
  CLI::App* agent = app.add_subcommand("agent", "Add agents to a world and print their verdicts")
                        ->require_subcommand(1);
  add_agent_commands(*agent, context);
  add_agent_list_commands(*agent, context);
  CLI::App* session = app.add_subcommand("session", "List and close the sessions of a world")
                          ->require_subcommand(1);
  add_session_commands(*session, context);
  CLI::App* demo = app.add_subcommand("demo", "Show verdicts at work, in a world made for it")
                       ->require_subcommand(1);
  add_doors_demo(*demo, context);
  add_tower_demo(*demo, context);
  add_stats_command(app, context);
  add_top_command(app, context);
  add_backup_commands(app, context);
  add_security_commands(app, context);
}

namespace {

// Returns the command that the arguments named last.
const CLI::App& named_command(const CLI::App& app) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().back();
  return *at;
}

// Returns the command with those above it, as in "repath world apply".
std::string full_name(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  return (parent == nullptr ? "" : full_name(*parent) + " ") + command.get_name();
}

// Returns what a number that is out of range must be.
template <class Number>
std::string beyond(const std::string& text) {
  using Limits = std::numeric_limits<Number>;
  return "must be from " + std::to_string(Limits::min()) + " to " + std::to_string(Limits::max()) +
         ", got " + text;
}

// Returns an error of CLI11 in other words: it says only "Could not convert: --team = 5000000000".
// Since check_numbers() has read the number, its option has fewer bits.
std::string reworded(const std::string& message) {
  const std::string prefix = "Could not convert: ";
  const std::size_t equals = message.find(" = ");
  if (message.rfind(prefix, 0) != 0 || equals == std::string::npos) return message;
  return message.substr(prefix.size(), equals - prefix.size()) + ": " +
         beyond<std::uint32_t>(message.substr(equals + 3));
}

std::string names_of_commands(const CLI::App& command) {
  std::string names;
  for (const CLI::App* child : command.get_subcommands([](const CLI::App*) { return true; }))
    names += (names.empty() ? "" : ", ") + child->get_name();
  return names;
}

// Returns the message for an option that its place on the command line does not have. Requires that
// something was left over.
std::string unknown_option(const CLI::App& app, const std::string& argument) {
  const std::string option = argument.substr(0, argument.find('='));
  const CLI::App* place = &app;
  while (place->remaining().empty()) place = place->get_subcommands().back();
  const std::string text = "`" + full_name(*place) + "` has no option \"" + option + "\"";
  for (const CLI::App* at = &named_command(app); at != nullptr; at = at->get_parent())
    if (at->get_option_no_throw(option) != nullptr)
      return text + "; it belongs after `" + full_name(*at) + "`";
  return text + "\n        `" + full_name(*place) + " --help` shows what it takes.";
}

}  // namespace

std::string wrong_usage(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = named_command(app);
  const std::string name = full_name(command);
  const std::string commands = names_of_commands(command);
  const auto left = app.remaining(/*recurse=*/true);
  const std::string help = "\n        `" + name + " --help` shows what it takes.";
  // An argument that nothing takes is left over, and what is missed then says less.
  if (!left.empty() && left.front().rfind('-', 0) == 0) return unknown_option(app, left.front());
  if (!left.empty() && !commands.empty())
    return "there is no command \"" + name + " " + left.front() + "\"; give one of: " + commands;
  if (!left.empty())
    return "`" + name + "` does not take the argument \"" + left.front() + "\"" + help;
  if (!commands.empty()) return "`" + name + "` needs a command, one of: " + commands;
  return reworded(error.what()) + help;
}

bool has_json_flag(int argc, const char* const* argv) {
  return std::any_of(argv, argv + argc,
                     [](const char* argument) { return std::string_view(argument) == "--json"; });
}

namespace {

// Return what is wrong with the text of a number, or put the number there as CLI11 reads it. CLI11
// itself would take 010 for an octal number and 0x10 for a hexadecimal one, a negative number for a
// very large one, and the largest one for any number above it.
template <class Number>
std::string read_whole(std::string& text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc::invalid_argument || stop != end)
    return "expected a whole number in decimal digits, got \"" + text + "\"";
  if (error == std::errc::result_out_of_range) return beyond<Number>(text);
  text = std::to_string(number);
  return "";
}

std::string read_unsigned(std::string& text) {
  if (text.rfind('-', 0) == 0) return "must not be negative, got " + text;
  return read_whole<std::uint64_t>(text);
}

std::string read_real(std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc::invalid_argument || stop != end)
    return "expected a number in decimal digits, got \"" + text + "\"";
  const bool is_finite = error == std::errc() && std::isfinite(number);
  return is_finite ? "" : "must be a finite number, got " + text;
}

}  // namespace

void check_numbers(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    if (type.rfind("UINT", 0) == 0) option->transform(CLI::Validator(&read_unsigned, ""));
    if (type.rfind("INT", 0) == 0) option->transform(CLI::Validator(&read_whole<int>, ""));
    if (type.rfind("FLOAT", 0) == 0) option->transform(CLI::Validator(&read_real, ""));
  }
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
    check_numbers(*command);
}

}  // namespace repath::cli
