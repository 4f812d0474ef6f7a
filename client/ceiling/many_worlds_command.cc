#include "ceiling/many_worlds_command.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "ceiling/many_worlds.h"

namespace repath::cli {
namespace {

constexpr double kMiB = 1024 * 1024;

Json json_of(const ceiling::ManyWorldsOptions& options, const ceiling::ManyWorldsFigures& figures) {
  return {{"worlds", options.worlds},
          {"in_use", options.in_use},
          {"changes", options.changes},
          {"made_per_s", figures.made_per_s},
          {"ready_s", figures.ready_s},
          {"ready_bytes", figures.ready_bytes},
          {"first_p50_ms", figures.first_p50_ms},
          {"first_p99_ms", figures.first_p99_ms},
          {"in_use_bytes", figures.in_use_bytes},
          {"replayed_p50_ms", figures.replayed_p50_ms},
          {"replayed_longest_ms", figures.replayed_longest_ms}};
}

void print(const ceiling::ManyWorldsOptions& options, const ceiling::ManyWorldsFigures& figures) {
  std::printf("%d worlds, made %.0f a second\n", options.worlds, figures.made_per_s);
  std::printf("ready %.2f s after the start, with %.1f MiB resident\n", figures.ready_s,
              figures.ready_bytes / kMiB);
  std::printf("first answer of %d worlds: p50 %.2f ms, p99 %.2f ms; then %.1f MiB resident\n",
              options.in_use, figures.first_p50_ms, figures.first_p99_ms,
              figures.in_use_bytes / kMiB);
  std::printf("first answer of a world with %d changes to replay: p50 %.1f ms, longest %.1f ms\n",
              options.changes, figures.replayed_p50_ms, figures.replayed_longest_ms);
}

}  // namespace

void add_many_worlds_command(CLI::App& load, CommandContext& context) {
  auto* command = add_command(load, context, "many-worlds",
                              "Measure a server with a folder of many worlds, few of them in use",
                              "repath load many-worlds --worlds 10000 --folder /var/tmp");
  const auto options = std::make_shared<ceiling::ManyWorldsOptions>();
  options->repathd = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "repathd";
  const auto folder = std::make_shared<std::string>("/var/tmp");
  command->add_option("--repathd", options->repathd, "Program of the server, which is started here")
      ->capture_default_str();
  command
      ->add_option("--folder", *folder,
                   "Folder on the disk to measure; a folder in it is made and removed")
      ->check(CLI::ExistingDirectory)
      ->capture_default_str();
  command->add_option("--worlds", options->worlds, "Number of worlds, 10 to 100000")
      ->check(CLI::Range(10, 100'000))
      ->capture_default_str();
  command->add_option("--in-use", options->in_use, "Number of worlds asked for, 1 to 100000")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command
      ->add_option("--changes", options->changes,
                   "Number of changes to replay in each of five worlds, 0 to 9999")
      ->check(CLI::Range(0, 9'999))
      ->capture_default_str();
  command->callback([options, folder, &context] {
    options->data = *folder + "/repath-many-worlds-" + std::to_string(::getpid());
    ceiling::ManyWorldsFigures figures;
    const grpc::Status status = ceiling::measure_many_worlds(*options, &figures);
    std::error_code ignored;
    std::filesystem::remove_all(options->data, ignored);
    if (!context.accepted(status)) return;
    context.json ? context.print_json(json_of(*options, figures)) : print(*options, figures);
  });
}

}  // namespace repath::cli
