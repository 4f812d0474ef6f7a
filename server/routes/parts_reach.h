// Answers which places lead to which by parts of the ground. Within a part each place leads to
// every other; steps from part to part lead one way. Questions that the parts alone do not answer
// are answered by sweeps over the steps. A sweep carries kLanes marks at once, one for each set of
// goals that differs, or one for each part where questions begin, whichever are fewer. Many bits
// beside each other in a search are an old trick, for example M. Then et al., "The More the
// Merrier: Efficient Multi-Source Graph Traversal", 2015; parts in order need no queue.
//
// Units of work that the meter counts: one for each part and step of a sweep, kUnitsOfPlace for
// each question and each place of a goal. All sweeps together take O((parts + steps) x (1 + fewer /
// kLanes)), and 32 bytes for each part.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "routes/route_ground.h"
#include "routes/strong_parts.h"

namespace repath {

class PartsReach : public ReachTable {
 public:
  static constexpr std::size_t kLanes = 256;
  static constexpr std::uint64_t kUnitsOfPlace = 64;

  bool answer(std::span<const ReachQuestion> questions,
              std::span<const std::span<const RoutePlace>> goals, WorkMeter* meter,
              std::vector<bool>* leads) override;

 protected:
  // Null: no steps lead from part to part.
  explicit PartsReach(std::unique_ptr<const StrongParts> parts) : parts_(std::move(parts)) {}

  // Appends the parts in which a way that begins or ends at the place may begin or end.
  virtual void append_parts(const RoutePlace& place, std::vector<std::uint32_t>* list) const = 0;
  const StrongParts* parts() const { return parts_.get(); }

 private:
  using Marks = std::array<std::uint64_t, kLanes / 64>;  // a bit for each lane

  // A question that needs a sweep: whether steps lead from a part to a lower one of these goals.
  struct Open {
    std::uint32_t question = 0;
    std::uint32_t begin = 0;
    std::uint32_t goals = 0;
  };
  // Parts that a sweep passes, [low, high].
  struct Range {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
  };

  bool look_at_goals(std::span<const std::span<const RoutePlace>> goals, WorkMeter* meter);
  bool sweep_from_goals(std::vector<Open> open, WorkMeter* meter, std::vector<bool>* leads);
  bool sweep_from_begins(std::vector<Open> open, WorkMeter* meter, std::vector<bool>* leads);
  Range range_of(std::span<const Open> open) const;
  bool clear_marks(const Range& range, WorkMeter* meter);
  Marks& marks(const Range& range, std::uint32_t part) { return marks_[part - range.low]; }

  const std::unique_ptr<const StrongParts> parts_;
  std::vector<std::vector<std::uint32_t>> ends_;  // by goals: their parts, ascending
  std::vector<Marks> marks_;                      // by part, from the lowest of the sweep on
};

}  // namespace repath
