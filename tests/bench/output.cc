#include "bench/output.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iostream>

namespace repath::bench {
namespace {

std::string processor() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

std::string load() {
  std::string first;
  std::ifstream("/proc/loadavg") >> first;
  return first;
}

std::string cell_text(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number_float()) return value.dump();
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f", value.get<double>());
  return text.data();
}

}  // namespace

void print_rows(const Json& rows) {
  if (rows.empty()) return;
  std::vector<std::string> keys;
  std::vector<std::size_t> widths;
  for (const auto& [key, value] : rows.front().items()) {
    keys.push_back(key);
    widths.push_back(key.size());
    for (const Json& row : rows)
      widths.back() = std::max(widths.back(), cell_text(row.at(key)).size());
  }
  for (std::size_t i = 0; i < keys.size(); ++i)
    std::cout << keys[i] << std::string(widths[i] - keys[i].size() + 2, ' ');
  std::cout << "\n";
  for (const Json& row : rows) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::string text = cell_text(row.at(keys[i]));
      const std::string pad(widths[i] - text.size(), ' ');
      std::cout << (row.at(keys[i]).is_number() ? pad + text : text + pad) << "  ";
    }
    std::cout << "\n";
  }
}

Json describe_machine() {
  return {{"processor", processor()},
          {"compiler", "g++ " __VERSION__},
          {"flags", REPATH_BENCH_FLAGS},
          {"load", load()}};
}

void print(Json figures, bool as_json) {
  figures["machine"] = describe_machine();
  if (as_json) {
    std::cout << figures.dump() << "\n";
    return;
  }
  for (const auto& [key, value] : figures.items()) {
    if (key == "results" || key == "repairs") {
      print_rows(value);
    } else if (key == "machine") {
      for (const auto& [name, text] : value.items())
        std::cout << name << ": " << cell_text(text) << "\n";
    } else if (value.is_object()) {
      std::cout << key << ":";
      for (const auto& [name, text] : value.items())
        std::cout << " " << name << " " << cell_text(text);
      std::cout << "\n";
    } else {
      std::cout << key << ": " << cell_text(value) << "\n";
    }
  }
}

std::string hex(std::uint64_t hash) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
  return text.data();
}

}  // namespace repath::bench
