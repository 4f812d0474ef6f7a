#include "ceiling/commands.h"

#include <filesystem>
#include <iostream>
#include <memory>

#include "ceiling/ceiling.h"

namespace repath::cli {
namespace {

Json json_of(const ceiling::QuerySide& side) {
  return {{"calls_per_s", side.calls_per_s}, {"cpu_us_per_call", side.cpu_us_per_call}};
}

Json json_of(const ceiling::PushSide& side) {
  return {{"items_per_s", side.items_per_s}, {"cpu_us_per_item", side.cpu_us_per_item}};
}

Json json_of(const ceiling::Plan& plan, const ceiling::Figures& figures) {
  return {{"query_share", figures.query_share},
          {"query_cpu_ratio", figures.query_cpu_ratio},
          {"push_share", figures.push_share},
          {"first_push_share", figures.first_push_share},
          {"query", json_of(figures.query)},
          {"echo", json_of(figures.echo)},
          {"request_bytes", figures.request_bytes},
          {"answer_bytes", figures.answer_bytes},
          {"push", json_of(figures.push)},
          {"first_push", json_of(figures.first_push)},
          {"stream", json_of(figures.stream)},
          {"item_bytes", figures.item_bytes},
          {"items_per_message", figures.items_per_message},
          {"concurrency", plan.concurrency},
          {"pairs", plan.pairs},
          {"seconds", plan.seconds},
          {"cores", figures.cores}};
}

void print_row(const char* name, double rate, double cost_us) {
  std::printf("  %-14s %12.0f  %10.2f\n", name, rate, cost_us);
}

void print(const ceiling::Figures& figures) {
  std::printf("FindPath beside a bare echo: %llu bytes there, %llu back\n",
              static_cast<unsigned long long>(figures.request_bytes),
              static_cast<unsigned long long>(figures.answer_bytes));
  std::printf("  %-14s %12s  %10s\n", "", "calls/s", "CPU us");
  print_row("FindPath", figures.query.calls_per_s, figures.query.cpu_us_per_call);
  print_row("echo", figures.echo.calls_per_s, figures.echo.cpu_us_per_call);
  std::printf("  share %.2f, CPU of the server for a call %.2f times the echo's\n",
              figures.query_share, figures.query_cpu_ratio);
  std::printf("Verdicts with paths beside a bare stream: %.0f bytes each, %.0f in a message\n",
              figures.item_bytes, figures.items_per_message);
  std::printf("  %-14s %12s  %10s\n", "", "items/s", "CPU us");
  print_row("WatchPaths", figures.push.items_per_s, figures.push.cpu_us_per_item);
  print_row("stream", figures.stream.items_per_s, figures.stream.cpu_us_per_item);
  print_row("the first", figures.first_push.items_per_s, figures.first_push.cpu_us_per_item);
  std::printf("  share %.2f; of the first reader after a change %.2f\n", figures.push_share,
              figures.first_push_share);
  if (figures.cores < 2) std::printf("servers and caller shared one core: the shares say little\n");
}

}  // namespace

void add_ceiling_command(CLI::App& load, CommandContext& context) {
  auto* command = add_command(load, context, "ceiling",
                              "Measure the server beside a bare gRPC server. Starts both",
                              "repath load ceiling --pairs 5 --seconds 2");
  const auto plan = std::make_shared<ceiling::Plan>();
  const auto beside = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  plan->repathd = beside / "repathd";
  plan->bare = beside / "repath-bare";
  command->add_option("--repathd", plan->repathd, "Program of the server")->capture_default_str();
  command->add_option("--bare", plan->bare, "Program of the bare server")->capture_default_str();
  command
      ->add_option("--pairs", plan->pairs,
                   "Number of measurements of each side, in turns, 1 to 100")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  command
      ->add_option("--seconds", plan->seconds, "Length of each measurement, in seconds, 0.1 to 600")
      ->check(CLI::Range(0.1, 600.0))
      ->capture_default_str();
  command
      ->add_option("--concurrency", plan->concurrency,
                   "Number of calls under way at a time, 1 to 1024")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command
      ->add_option("--agents", plan->agents,
                   "Number of agents whose verdicts are pushed, 1 to 100000")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  auto* certificate =
      command
          ->add_option("--with-cert", plan->tls_certificate,
                       "Certificate for 127.0.0.1 with which both servers have TLS; needs --tls-ca "
                       "before the command")
          ->check(CLI::ExistingFile);
  command->add_option("--with-key", plan->tls_key, "Key of --with-cert")
      ->check(CLI::ExistingFile)
      ->needs(certificate);
  command
      ->add_option("--with-tokens", plan->tokens,
                   "Token file that repathd asks for; needs --token before the command")
      ->check(CLI::ExistingFile);
  command->callback([plan, &context] {
    plan->security = context.security();
    ceiling::Figures figures;
    if (!context.accepted(ceiling::measure(*plan, figures))) return;
    context.json ? context.print_json(json_of(*plan, figures)) : print(figures);
  });
}

}  // namespace repath::cli
