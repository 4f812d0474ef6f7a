#include "bench/peer.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <limits>

#include "base/check.h"

namespace repath::bench {
namespace {

constexpr int kTimesAsked = 3;

void write_map(const std::string& file, const GridLayer& layer) {
  std::string text = "type octile\nheight " + std::to_string(layer.height()) + "\nwidth " +
                     std::to_string(layer.width()) + "\nmap\n";
  for (std::int32_t y = 0; y < layer.height(); ++y) {
    for (std::int32_t x = 0; x < layer.width(); ++x) text += layer.is_free(x, y) ? '.' : '@';
    text += '\n';
  }
  std::ofstream(file) << text;
}

}  // namespace

int report_failed_peer() {
  std::cerr << "repath-bench: the peer failed, or gave other than one line for each query\n";
  return 3;
}

std::optional<std::vector<PeerAnswer>> ask_peer(const std::string& command, const std::string& map,
                                                const std::string& scen) {
  const std::string line = command + " '" + map + "' '" + scen + "'";
  FILE* out = popen(line.c_str(), "r");  // NOLINT(cert-env33-c): what the user asked to run
  if (out == nullptr) return std::nullopt;
  std::vector<PeerAnswer> answers;
  PeerAnswer answer;
  while (std::fscanf(out, "%lf %lf", &answer.length, &answer.us) == 2) answers.push_back(answer);
  if (pclose(out) != 0) return std::nullopt;
  return answers;
}

PeerFolder::PeerFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "repath-peer-XXXXXX").string();
  REPATH_CHECK(mkdtemp(name.data()) != nullptr);
  folder_ = name;
}

PeerFolder::~PeerFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::optional<PeerAnswer> PeerFolder::ask(const std::string& command, const GridLayer& layer,
                                          NodeId from, NodeId to) const {
  const std::string map = folder_ + "/now.map";
  const std::string scen = map + ".scen";
  write_map(map, layer);
  std::ofstream lines(scen);
  lines << "version 1\n";
  for (int i = 0; i < kTimesAsked; ++i)
    lines << "0\tnow.map\t" << layer.width() << '\t' << layer.height() << '\t' << layer.x_of(from)
          << '\t' << layer.y_of(from) << '\t' << layer.x_of(to) << '\t' << layer.y_of(to)
          << "\t0\n";
  lines.close();
  const auto answers = ask_peer(command, map, scen);
  if (!answers || answers->size() != kTimesAsked) return std::nullopt;
  return *std::ranges::min_element(*answers, {}, &PeerAnswer::us);
}

std::optional<std::vector<PeerAnswer>> PeerFolder::ask(const std::string& command,
                                                       const std::string& mesh,
                                                       std::span<const PeerQuery> queries) const {
  const std::string scen = folder_ + "/queries.scen";
  std::ofstream lines(scen);
  lines << "version 1\n" << std::setprecision(std::numeric_limits<double>::max_digits10);
  for (const PeerQuery& query : queries)
    lines << "0\tmesh\t0\t0\t" << query.from.x << '\t' << query.from.z << '\t' << query.to.x << '\t'
          << query.to.z << "\t0\n";
  lines.close();
  auto answers = ask_peer(command, mesh, scen);
  if (answers && answers->size() != queries.size()) answers.reset();
  return answers;
}

}  // namespace repath::bench
