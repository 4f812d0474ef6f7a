#include "runtime/frame_pacer.h"

#include <algorithm>
#include <vector>

#include "base/check.h"

namespace repath {
namespace {

constexpr WorkUnits kLeastSlice = 64;
constexpr double kUnitsMax = 1e12;
// Less work is no measure of the machine's speed.
constexpr WorkUnits kUnitsToLearnFrom = 256;
// Weights of the newest frame if it used its whole grant. A slower speed is adopted sooner than a
// faster one. So four frames in five reach the learned speed; at the mean speed half the frames
// would be over their budget.
constexpr double kLearnFaster = 0.05;
constexpr double kLearnSlower = 0.2;

}  // namespace

FramePacer::FramePacer(const FrameOptions& options)
    : options_(options), period_us_(static_cast<Micros>(1e6 / options.rate_hz)) {}

Micros FramePacer::next_due(Micros now) const {
  return last_due_ == 0 ? now : std::max(now, last_due_ + period_us_);
}

void FramePacer::begin(Micros due, Micros now) {
  const bool late = now > due + period_us_ / 2;
  if (late) ++late_frames_;
  last_due_ = late ? now : due;
  begin_tick(grant());
}

void FramePacer::begin_tick(WorkUnits grant) {
  last_grant_ = grant;
  used_ = 0;
  took_ = 0;
  was_over_ = false;
  took_us_[frames_++ % kKept] = 0;
}

void FramePacer::end(WorkUnits granted, const SpentUnits& spent, Micros took) {
  REPATH_CHECK(frames_ > 0);
  used_ += spent.used;
  took_ += took;
  took_us_[(frames_ - 1) % kKept] = static_cast<float>(took_);
  if (!was_over_ && is_over_budget()) {
    was_over_ = true;
    ++frames_over_budget_;
  }
  if (spent.done > 0) learn_from({std::max(spent.done, granted), spent.done, took});
}

void FramePacer::learn_from(const Portion& portion) {
  unlearned_.granted += portion.granted;
  unlearned_.done += portion.done;
  unlearned_.took += portion.took;
  if (unlearned_.done < kUnitsToLearnFrom) return;
  const auto done = static_cast<double>(unlearned_.done);
  const double speed = done / static_cast<double>(std::max<Micros>(unlearned_.took, 1));
  const double share = done / static_cast<double>(unlearned_.granted);
  const double learn = speed < units_per_us_ ? kLearnSlower : kLearnFaster;
  units_per_us_ += learn * share * (speed - units_per_us_);
  unlearned_ = {};
}

double FramePacer::slice_us() const {
  return std::max(static_cast<double>(options_.budget_us) / 20,
                  static_cast<double>(kLeastSlice) / units_per_us_);
}

bool FramePacer::is_over_budget() const {
  if (options_.budget_units != 0)
    return used_ > last_grant_ + std::max(kLeastSlice, last_grant_ / 20);
  return static_cast<double>(took_) > static_cast<double>(options_.budget_us) + slice_us();
}

WorkUnits FramePacer::grant_portion(Micros now) const {
  if (frames_ == 0 || now >= last_due_ + period_us_) return 0;
  if (const WorkUnits all = options_.budget_units; all != 0)
    return std::min(
        {all - std::min(all, used_), std::max(kLeastSlice, all / kPortions), kPortionUnitsMax});
  const Micros left = options_.budget_us - std::min(options_.budget_us, took_);
  if (used_ > 0 && static_cast<double>(left) < slice_us()) return 0;
  return grant_for(std::min({left, options_.budget_us / kPortions, kPortionUsMax}));
}

WorkUnits FramePacer::grant() const {
  return options_.budget_units != 0 ? options_.budget_units : grant_for(options_.budget_us);
}

WorkUnits FramePacer::grant_for(Micros budget_us) const {
  const double units = units_per_us_ * static_cast<double>(budget_us);
  return std::max(kLeastSlice, static_cast<WorkUnits>(std::min(units, kUnitsMax)));
}

double FramePacer::frame_us_quantile(double q) const {
  const std::size_t kept = std::min<std::size_t>(frames_, kKept);
  if (kept == 0) return 0;
  std::vector<float> sorted(took_us_.begin(), took_us_.begin() + static_cast<std::ptrdiff_t>(kept));
  std::sort(sorted.begin(), sorted.end());
  const auto rank = static_cast<std::size_t>(q * static_cast<double>(kept - 1) + 0.5);
  return static_cast<double>(sorted[std::min(rank, kept - 1)]);
}

}  // namespace repath
