// Parts that the demonstrations share: a world of their own, a session, walkers, and the time that
// verdicts take as seen from the client.
//
// Thread rule: one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/walkers.h"
#include "repath/client.h"

namespace repath::cli {

// Latencies in microseconds, and their percentiles.
class Latencies {
 public:
  void add(double us) { us_.push_back(us); }
  // {"p50", "p99"}; null without any.
  [[nodiscard]] Json json() const;
  // "p50 1.2 ms, p99 3.4 ms".
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] double percentile(double share) const;  // Requires some.
  std::vector<double> us_;
};

// Options of every demonstration.
struct DemoOptions {
  std::uint32_t agents = 0;
  std::uint32_t changes = 0;
  std::uint64_t seed = 1;
  std::uint32_t frame_ms = 0;  // Time of a step, ms; 0: 60 on a terminal, else 4.
};

void add_demo_options(CLI::App& command, DemoOptions& options);

class Demo {
 public:
  Demo(CommandContext& context, const DemoOptions& options);
  // Deletes the world.
  ~Demo();
  Demo(const Demo&) = delete;
  Demo& operator=(const Demo&) = delete;

  // Makes the world and opens the session. Returns false after it has reported a failure.
  bool begin(const std::string& kind, std::int32_t width, std::int32_t height);

  // Commits a batch and handles the verdicts that come until then. Returns nothing after it has
  // reported a refusal.
  std::optional<client::Applied> apply(client::ChangeBatch batch,
                                       client::ApplyOptions options = {});
  std::optional<client::Tested> test(client::ChangeBatch batch, std::vector<client::Pair> pairs);
  void send_agent(std::uint64_t id, client::Cell at, std::vector<client::Cell> goals);
  void remove_agent(std::uint64_t id);
  // Moves every walker in these cells one cell to the left, and returns when the server knows.
  // Fails as settle().
  bool clear_out(const client::CellRect& cells);

  // Plays one frame: moves and reports all walkers and handles verdicts. Returns the ids of walkers
  // that arrived.
  std::vector<std::uint64_t> frame();
  // Stands still until all walkers are settled at the newest revision. Returns false after ten
  // seconds, with a report.
  bool settle();
  // Asks the server for the paths of up to `most` walkers from where they are, and compares.
  // Requires settle(). Reports the first walker that is not on a shortest path, and returns false.
  bool check(std::size_t most);

  // Draws `picture` and the latest verdicts in place on a terminal; elsewhere it does nothing.
  void show(const std::string& title, const std::string& picture);
  // Returns whether the run was interrupted from the keyboard.
  static bool interrupted();

  // `events`, `verdicts`, `verdict_us`, `invalidated_us`, `agents`, `seed`, `checked`.
  [[nodiscard]] Json json(std::uint64_t reached) const;

  [[nodiscard]] bool drawing() const { return drawing_; }
  [[nodiscard]] const Walkers& walkers() const { return walkers_; }
  // "INVALIDATED p50 ...; all verdicts p50 ...".
  [[nodiscard]] std::string latency_text() const;
  [[nodiscard]] std::uint64_t verdicts() const { return verdicts_; }
  [[nodiscard]] std::uint64_t verdicts_of(client::EventType type) const;
  [[nodiscard]] std::uint64_t checked() const { return checked_; }
  // A number below `bound`.
  std::uint32_t random(std::uint32_t bound) {
    return static_cast<std::uint32_t>(random_() % bound);
  }

 private:
  using Clock = std::chrono::steady_clock;
  // A verdict whose change was not answered yet.
  struct Untimed {
    std::uint64_t revision = 0;
    client::EventType type = client::EventType::kUnspecified;
    Clock::time_point arrived;
  };

  void take(const client::PathEvent& event);
  void time_verdicts();  // Those whose change is known by now.
  void note(std::string line);

  CommandContext& context_;
  const DemoOptions options_;
  const bool drawing_;
  int lines_left_ = 0;  // Without a terminal, the first verdicts after each change are printed.
  std::mt19937_64 random_;
  std::string world_;
  client::Client client_;
  std::unique_ptr<client::Session> session_;
  Walkers walkers_;
  Ground ground_;

  std::uint64_t revision_ = 0;  // The newest of our changes.
  std::uint64_t last_call_ = 0;
  std::uint64_t changes_ = 0;
  std::uint64_t verdicts_ = 0;
  std::uint64_t checked_ = 0;
  std::map<client::EventType, std::uint64_t> by_type_;
  std::uint64_t next_to_check_ = 0;
  std::map<std::uint64_t, Clock::time_point> sent_at_;  // By revision.
  std::vector<Untimed> untimed_;
  Latencies latencies_;    // Of all verdicts,
  Latencies invalidated_;  // and of INVALIDATED alone, which does not wait for planning.
  std::deque<std::string> notes_;
};

}  // namespace repath::cli
