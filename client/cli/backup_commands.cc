// backup and restore: copies of a server's data folder.
#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/print.h"
#include "cli/server_program.h"
#include "cli/visible_text.h"
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
            << ", on the server's machine at\n  " << visible(answer.folder()) << std::endl;
}

// ---- restore ----

struct RestoreOptions {
  std::string backup;
  std::string data;
};

void restore(CommandContext& context, const RestoreOptions& options) {
  // For repathd the word `none` is no folder.
  const std::string folder = options.data == "none" ? "./none" : options.data;
  const ServerFacts restored = ask_server_program({"--data", folder, "--restore", options.backup});
  if (restored.status != 0) return context.file_refused(restored.error());
  if (context.json) {
    context.print_json({{"data", folder},
                        {"worlds", restored.number("worlds")},
                        {"files", restored.number("files")},
                        {"bytes", restored.number("bytes")},
                        {"taken_at_us", restored.number("taken_at_us")}});
    return;
  }
  std::cout << counted(restored.number("worlds"), "world") << " as of "
            << time_text(restored.number("taken_at_us")) << " UTC, "
            << bytes(restored.number("bytes")) << "; start a server with --data " << folder
            << std::endl;
}

}  // namespace

void add_backup_commands(CLI::App& app, CommandContext& context) {
  auto name = std::make_shared<std::string>();
  CLI::App* command =
      add_command(app, context, "backup",
                  "Copy all durable worlds of a running server to a new folder on its "
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

  add_play_command(app, context);
}

}  // namespace repath::cli
