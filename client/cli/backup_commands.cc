// backup and restore: copies of a server's data folder.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/print.h"
#include "repath/v1/admin.grpc.pb.h"

namespace repath::cli {
namespace {

// ---- backup ----

void backup(CommandContext& context, const std::string& name) {
  v1::BackupRequest request;
  request.set_name(name);
  grpc::ClientContext call;
  v1::BackupResponse answer;
  if (!context.accepted(context.stub<v1::AdminService>()->Backup(&call, request, &answer))) return;
  if (context.json) {
    context.print_json({{"folder", answer.folder()},
                        {"worlds", answer.worlds()},
                        {"files", answer.files()},
                        {"bytes", answer.bytes()},
                        {"linked", answer.linked()},
                        {"taken_at_us", answer.taken_at_us()},
                        {"took_us", answer.took_us()}});
    return;
  }
  std::cout << counted(answer.worlds(), "world") << " as of " << time_text(answer.taken_at_us())
            << " UTC, " << bytes(answer.bytes()) << " in " << counted(answer.files(), "file")
            << ", on the server's machine at\n  " << answer.folder() << std::endl;
}

// ---- restore ----

// The server's program has the formats of a data folder. It stands beside this one, or in PATH.
std::string server_program() {
  std::error_code error;
  const auto own = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto beside = own.parent_path() / "repathd";
  return !error && std::filesystem::exists(beside, error) ? beside.string() : "repathd";
}

struct Ended {
  int status = 127;  // as the shell numbers it
  std::string output;
};

// Runs a program and waits for it. Its errors go where ours go.
Ended run(std::vector<std::string> words) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return {};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    for (const int end : ends) ::close(end);
    ::execvp(arguments.front(), arguments.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  Ended ended;
  std::array<char, 4096> piece{};
  for (ssize_t n = 0; child > 0 && (n = ::read(ends[0], piece.data(), piece.size())) > 0;)
    ended.output.append(piece.data(), static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  if (child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status))
    ended.status = WEXITSTATUS(status);
  return ended;
}

// Lines "NAME VALUE".
std::map<std::string, std::string> facts_in(const std::string& text) {
  std::map<std::string, std::string> facts;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = std::min(line.find(' '), line.size());
    facts[line.substr(0, space)] = line.substr(std::min(space + 1, line.size()));
  }
  return facts;
}

struct RestoreOptions {
  std::string backup;
  std::string data;
};

void restore(CommandContext& context, const RestoreOptions& options) {
  const std::string program = server_program();
  const Ended ended =
      run({program, "--log-level", "off", "--data", options.data, "--restore", options.backup});
  auto facts = facts_in(ended.output);
  if (ended.status != 0) {
    client::Error error;
    error.code = client::Code::kFailedPrecondition;
    error.reason = facts["reason"];
    error.message = facts["message"];
    if (error.message.empty())
      error.message = "cannot run " + program + "; it must stand beside repath or in PATH";
    context.refused(error);
    return;
  }
  const auto number = [&](const char* name) -> std::uint64_t {
    return std::stoull(facts.at(name));
  };
  if (context.json) {
    context.print_json({{"data", options.data},
                        {"worlds", number("worlds")},
                        {"files", number("files")},
                        {"bytes", number("bytes")},
                        {"taken_at_us", number("taken_at_us")}});
    return;
  }
  std::cout << counted(number("worlds"), "world") << " as of " << time_text(number("taken_at_us"))
            << " UTC, " << bytes(number("bytes")) << "; start a server with --data " << options.data
            << std::endl;
}

}  // namespace

void add_backup_commands(CLI::App& app, CommandContext& context) {
  auto name = std::make_shared<std::string>();
  CLI::App* command =
      add_command(app, context, "backup",
                  "Copy all durable worlds of a server that goes on serving to a new folder on its "
                  "machine, below its --backup-dir",
                  "repath backup before-the-event");
  command->add_option("DIR", *name, "Name of the new folder, without a path")->required();
  command->callback([&context, name] { backup(context, *name); });

  auto options = std::make_shared<RestoreOptions>();
  command = add_command(app, context, "restore",
                        "Make a data folder of a backup, on the server's machine and while no "
                        "server uses it. Checks every file first. Needs the program repathd",
                        "repath restore /backups/before-the-event /var/lib/repath-new");
  command->add_option("BACKUP", options->backup, "Folder of the backup")->required();
  command->add_option("DATADIR", options->data, "Folder to make, missing or empty")->required();
  command->callback([&context, options] { restore(context, *options); });
}

}  // namespace repath::cli
