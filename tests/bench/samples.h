// Times of single calls and what is said of them. Plain values.
#pragma once

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <numeric>
#include <vector>

namespace repath::bench {

// Time since it was made, without what other threads of the machine took: the lesser of the clock's
// and the thread's own, for reading the thread's own takes longer than the shortest calls.
class Stopwatch {
 public:
  Stopwatch() : cpu_us_(thread_cpu_us()), begin_(std::chrono::steady_clock::now()) {}

  double us() const {
    const auto end = std::chrono::steady_clock::now();
    return std::min(std::chrono::duration<double, std::micro>(end - begin_).count(),
                    thread_cpu_us() - cpu_us_);
  }

 private:
  static double thread_cpu_us() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
  }

  double cpu_us_;
  std::chrono::steady_clock::time_point begin_;
};

// Counts only while its thread runs: for calls long enough to be interrupted on a machine that has
// other work. Reading it takes half a microsecond.
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

class Samples {
 public:
  void add(double value) { values_.push_back(value); }
  std::size_t size() const { return values_.size(); }
  // 0 of none.
  double mean() const {
    if (values_.empty()) return 0;
    return std::accumulate(values_.begin(), values_.end(), 0.0) /
           static_cast<double>(values_.size());
  }
  // The least value that a share of `q` in [0, 1] does not exceed; 0 of none. O(n).
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
