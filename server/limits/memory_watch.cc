#include "limits/memory_watch.h"

#include <fcntl.h>
#include <malloc.h>
#include <spdlog/spdlog.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <fstream>
#include <optional>
#include <string_view>

namespace repath {
namespace {

constexpr std::chrono::milliseconds kEvery(50);
constexpr std::uint64_t kLooksOfAShrink = 20;
constexpr std::uint64_t kHysteresisPercent = 2;
constexpr std::array<std::uint64_t, 4> kPercent{0, 80, 90, 95};

std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;  // no such file, or the word "max"
}

// Lowers `least` to the limits of the group at `path` below `mount` and of all groups above it.
void take_group(const std::string& mount, std::string path, const char* file,
                std::uint64_t* least) {
  for (;;) {
    if (const auto limit = number_in(mount + path + "/" + file)) *least = std::min(*least, *limit);
    if (path.empty() || path == "/") return;
    path.erase(path.rfind('/'));
  }
}

// Reads /proc/self/cgroup: lines "4:memory:/group" of version 1 and "0::/group" of version 2. In a
// container the group may be mounted as the root, which take_group() also visits.
std::uint64_t group_limit() {
  std::uint64_t least = ~std::uint64_t{0};
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string kinds = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1);
    if (kinds == ",,") {
      take_group("/sys/fs/cgroup", path, "memory.max", &least);
    } else if (kinds.find(",memory,") != std::string::npos) {
      take_group("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes", &least);
    }
  }
  return least;
}

std::uint64_t machine_limit() {
  struct sysinfo info {};
  if (sysinfo(&info) != 0) return ~std::uint64_t{0};
  return std::uint64_t{info.totalram} * info.mem_unit / 20 * 19;
}

std::string gauge(std::string_view name, std::string_view help, std::uint64_t value,
                  std::string_view type = "gauge") {
  std::string text = "# HELP ";
  text.append(name).append(" ").append(help).append("\n# TYPE ").append(name).append(" ");
  text.append(type).append("\n").append(name).append(" ");
  return text.append(std::to_string(value)).append("\n");
}

}  // namespace

MemoryLimit find_memory_limit(std::uint64_t worlds_bytes) {
  MemoryLimit limit{worlds_bytes + kOwnMemoryBytes, "--memory-total-mb"};
  if (const std::uint64_t group = group_limit(); group < limit.bytes) limit = {group, "cgroup"};
  if (const std::uint64_t all = machine_limit(); all < limit.bytes) limit = {all, "machine"};
  return limit;
}

std::uint64_t resident_bytes() {
  // A number of pages: total, resident, ...
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<char, 128> text{};
  const ssize_t size = read(file, text.data(), text.size());
  close(file);
  const char* const end = text.data() + std::max<ssize_t>(size, 0);
  const char* const begin = std::find(static_cast<const char*>(text.data()), end, ' ');
  std::uint64_t pages = 0;
  if (begin != end) std::from_chars(begin + 1, end, pages);
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

MemoryStage stage_of(std::uint64_t used, std::uint64_t limit, MemoryStage before) {
  MemoryStage stage = MemoryStage::kPlenty;
  for (std::size_t i = 1; i < kPercent.size(); ++i) {
    const bool is_reached = static_cast<std::size_t>(before) >= i;
    const std::uint64_t percent = kPercent[i] - (is_reached ? kHysteresisPercent : 0);
    if (used >= limit / 100 * percent) stage = static_cast<MemoryStage>(i);
  }
  return stage;
}

MemoryWatch::MemoryWatch(MemoryLimit limit, Pressure& pressure, std::function<void()> shrink)
    : limit_(std::move(limit)), pressure_(pressure), shrink_(std::move(shrink)) {
  spdlog::info("memory limit_mb={} source=\"{}\"", limit_.bytes >> 20, limit_.source);
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

MemoryWatch::~MemoryWatch() = default;

void MemoryWatch::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    look();
    std::this_thread::sleep_for(kEvery);
  }
}

void MemoryWatch::look() {
  ++looks_;
  // A file that cannot be opened says nothing: the last figure stays.
  std::uint64_t used = resident_bytes();
  if (used == 0) used = used_;
  used_ = used;
  peak_ = std::max<std::uint64_t>(peak_, used);
  const MemoryStage before = pressure_.stage();
  const MemoryStage now = stage_of(used, limit_.bytes, before);
  if (now != before) {
    pressure_.set_stage(now);
    ++changes_;
    spdlog::log(now > before ? spdlog::level::warn : spdlog::level::info,
                "memory stage={} before={} used_mb={} limit_mb={} source=\"{}\"",
                kMemoryStageNames[static_cast<std::size_t>(now)],
                kMemoryStageNames[static_cast<std::size_t>(before)], used >> 20, limit_.bytes >> 20,
                limit_.source);
  }
  if (now == MemoryStage::kPlenty) return;
  if (now <= before && looks_ < shrunk_at_ + kLooksOfAShrink) return;
  shrunk_at_ = looks_;
  if (shrink_) shrink_();
  malloc_trim(0);
}

std::string MemoryWatch::metrics_text() const {
  return gauge("repath_process_memory_bytes", "Resident memory of the process.", used_) +
         gauge("repath_process_memory_peak_bytes", "Greatest resident memory so far.", peak_) +
         gauge("repath_process_memory_limit_bytes",
               "Memory that the process may use; calls are refused near it.", limit_.bytes) +
         gauge("repath_memory_stage", "0: plenty of memory, 1: shrink, 2: narrow, 3: critical.",
               static_cast<std::uint64_t>(pressure_.stage())) +
         gauge("repath_memory_stage_changes_total", "Changes of the stage.", changes_, "counter") +
         gauge("repath_memory_refused_total", "Calls refused because memory was short.",
               pressure_.refused(), "counter");
}

}  // namespace repath
