// Times of single calls and their statistics. Plain values.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <numeric>
#include <vector>

namespace repath::bench {

// Measures the time since it was made, including the time of other threads. For calls that are
// measured in several passes, of which the least counts. Reading it needs no system call.
class Stopwatch {
 public:
  double us() const {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin_)
        .count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// Measures only while its thread runs. For calls long enough to be interrupted on a busy machine.
// Reading it is a system call and takes half a microsecond. After it some kernels (page-table
// isolation) have no address translated. So the next call takes longer the more pages it touches: a
// replanner's answer of 3 us takes 1 us longer.
class CpuStopwatch {
 public:
  double us() const { return now() - begin_; }

 private:
  static double now() {
    std::timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) * 1e-3;
  }
  double begin_ = now();
};

// For calls that are measured once, short or long: the lesser of both. Also begins with a system
// call.
class OnceStopwatch {
 public:
  double us() const { return std::min(clock_.us(), cpu_.us()); }

 private:
  CpuStopwatch cpu_;
  Stopwatch clock_;
};

class Samples {
 public:
  void add(double value) { values_.push_back(value); }
  std::size_t size() const { return values_.size(); }
  // Returns 0 if there are no samples.
  double mean() const {
    if (values_.empty()) return 0;
    return std::accumulate(values_.begin(), values_.end(), 0.0) /
           static_cast<double>(values_.size());
  }
  // Returns the least value that a share of `q` in [0, 1] does not exceed; 0 if there are no
  // samples. O(n).
  double quantile(double q) const {
    if (values_.empty()) return 0;
    std::vector<double> sorted = values_;
    const auto at = std::min(values_.size() - 1,
                             static_cast<std::size_t>(q * static_cast<double>(values_.size())));
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(at),
                     sorted.end());
    return sorted[at];
  }

 private:
  std::vector<double> values_;
};

}  // namespace repath::bench
