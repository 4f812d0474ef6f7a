// Counters of a run of `repath verify`, and the report of defects. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <string>

namespace repath::verify {

enum class Defect { kWrong, kMissedImprovement, kInvalidPath };

class Tally {
 public:
  // Prints every event of the agent `traced`; 0: of none.
  explicit Tally(std::uint64_t seed, std::uint64_t traced = 0) : seed_(seed), traced_(traced) {}

  std::uint64_t events = 0;    // change batches
  std::uint64_t verdicts = 0;  // events received
  std::uint64_t checked = 0;   // verdicts and silences compared with the model
  std::uint64_t wrong = 0;
  std::uint64_t missed_improvements = 0;
  std::uint64_t invalid_paths = 0;
  std::uint64_t unsettled = 0;
  std::uint64_t late = 0;  // verdicts later than the agent's max_staleness
  std::uint64_t max_wait_frames = 0;
  std::uint64_t repairs = 0;   // kept searches that the server repaired, of all strategies
  std::uint64_t restarts = 0;  // of the server, while the run went on
  double reopened_s = 0;   // longest time from a break until the session was open again, seconds
  double resettled_s = 0;  // longest time from a break until all agents were settled, seconds

  bool traces(std::uint64_t agent) const { return agent == traced_; }
  bool clean() const { return wrong + missed_improvements + invalid_paths + unsettled == 0; }

  // Counts a defect; the first twenty go to stderr.
  void add(Defect kind, std::uint64_t agent, const std::string& what);

 private:
  std::uint64_t seed_;
  std::uint64_t traced_;
  int shown_ = 0;
};

}  // namespace repath::verify
