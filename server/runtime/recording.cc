#include "runtime/recording.h"

#include <bit>
#include <cstring>

namespace repath {
namespace {

constexpr std::uint64_t kSevenBits = 0x7f;

void append_number(std::uint64_t number, std::string* out) {
  for (; number > kSevenBits; number >>= 7)
    out->push_back(static_cast<char>((number & kSevenBits) | (kSevenBits + 1)));
  out->push_back(static_cast<char>(number));
}

void add_path(const AgentPath& path, Checksum* sum) {
  sum->add(static_cast<std::uint64_t>(path.state)).add(static_cast<std::uint64_t>(path.optimality));
  sum->add(path.cost).add(std::bit_cast<std::uint64_t>(path.weight)).add(path.allowance);
  if (path.turn_too_tight) sum->add(1);
  for (const NodeId node : path.nodes) sum->add(index(node));
  for (const RoutePoint& point : path.points) {
    sum->add(std::bit_cast<std::uint64_t>(point.at.x));
    sum->add(std::bit_cast<std::uint64_t>(point.at.y));
    sum->add(std::bit_cast<std::uint64_t>(point.at.z));
  }
}

}  // namespace

EntryWriter& EntryWriter::add(std::uint64_t number) {
  append_number(number, &content_);
  return *this;
}

EntryWriter& EntryWriter::add(double coordinate) {
  auto bits = std::bit_cast<std::uint64_t>(coordinate);
  for (std::size_t i = 0; i < sizeof bits; ++i, bits >>= 8)
    content_.push_back(static_cast<char>(bits & 0xff));
  return *this;
}

EntryWriter& EntryWriter::add(std::string_view bytes) {
  add(std::uint64_t{bytes.size()});
  content_ += bytes;
  return *this;
}

EntryWriter& EntryWriter::add(const MapPoint& point) {
  return add(point.x).add(point.y).add(point.height);
}

std::string EntryWriter::finish(RecordingEntry kind) const {
  std::string entry;
  append_number(content_.size() + 1, &entry);
  const std::size_t begin = entry.size();
  entry.push_back(static_cast<char>(kind));
  entry += content_;
  return entry += entry_sum(std::string_view(entry).substr(begin));
}

std::string entry_sum(std::string_view kind_and_content) {
  const std::uint64_t sum = Checksum().add(kind_and_content).value();
  std::string bytes;
  for (std::size_t i = 0; i < kEntrySumBytes; ++i)
    bytes.push_back(static_cast<char>((sum >> (8 * i)) & 0xff));
  return bytes;
}

std::uint64_t EntryReader::number() {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 64 && !left_.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(left_.front());
    left_.remove_prefix(1);
    number |= (byte & kSevenBits) << shift;
    if (byte <= kSevenBits) return is_broken_ ? 0 : number;
  }
  is_broken_ = true;
  return 0;
}

double EntryReader::coordinate() {
  std::uint64_t bits = 0;
  if (left_.size() < sizeof bits) is_broken_ = true;
  if (is_broken_) return 0;
  for (std::size_t i = 0; i < sizeof bits; ++i)
    bits |= std::uint64_t{static_cast<unsigned char>(left_[i])} << (8 * i);
  left_.remove_prefix(sizeof bits);
  return std::bit_cast<double>(bits);
}

std::string EntryReader::bytes() {
  const std::uint64_t size = number();
  if (size > left_.size()) is_broken_ = true;
  if (is_broken_) return {};
  std::string bytes(left_.substr(0, size));
  left_.remove_prefix(size);
  return bytes;
}

MapPoint EntryReader::point() {
  MapPoint point;
  point.x = coordinate();
  point.y = coordinate();
  point.height = coordinate();
  return point;
}

std::uint64_t EntryReader::count() {
  const std::uint64_t count = number();
  if (count > left_.size()) is_broken_ = true;
  return is_broken_ ? 0 : count;
}

void add_event(const AgentEvent& event, Checksum* sum) {
  sum->add(value(event.agent)).add(static_cast<std::uint64_t>(event.type));
  sum->add(static_cast<std::uint64_t>(event.reason)).add(static_cast<std::uint64_t>(event.owner));
  sum->add(value(event.revision)).add(value(event.path_version));
  sum->add(event.old_cost).add(event.cost).add(event.goal_generation);
  if (event.path) add_path(*event.path, sum);
  for (const Revision cause : event.cause_revisions) sum->add(value(cause));
  for (const ObstacleId cause : event.cause_obstacles) sum->add(value(cause));
}

}  // namespace repath
