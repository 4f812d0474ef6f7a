#include "store/position_slots.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "store/checksum.h"
#include "store/world_files.h"

namespace repath {
namespace {

// The file: magic, key, sequence, time, number of rows, the rows, the checksum of all before it.
// Numbers have eight bytes, little-endian; a row is id, x, y, height, time. Rows of the first
// format have no time of their own, and the slot's counts for each.
constexpr std::string_view kSlotMagic = "RPPOS002";
constexpr std::string_view kFirstSlotMagic = "RPPOS001";
constexpr std::size_t kSlotHead = 40;
constexpr std::size_t kSlotRow = 40;
constexpr std::size_t kFirstSlotRow = 32;

void put_number(std::uint64_t v, std::string* out) {
  for (int shift = 0; shift < 64; shift += 8) out->push_back(static_cast<char>(v >> shift & 255u));
}

std::uint64_t number_at(std::string_view bytes, std::size_t at) {
  std::uint64_t v = 0;
  for (std::size_t i = 8; i-- > 0;) v = v << 8 | static_cast<unsigned char>(bytes[at + i]);
  return v;
}

double double_at(std::string_view bytes, std::size_t at) {
  return std::bit_cast<double>(number_at(bytes, at));
}

std::string slot_bytes(WorldKey key, std::uint64_t sequence, const Positions& positions) {
  std::string bytes(kSlotMagic);
  bytes.reserve(kSlotHead + kSlotRow * positions.rows.size() + 8);
  for (const std::uint64_t v :
       {value(key), sequence, positions.at, std::uint64_t{positions.rows.size()}})
    put_number(v, &bytes);
  for (const PositionRow& row : positions.rows) {
    put_number(value(row.id), &bytes);
    for (const double v : {row.position.x, row.position.y, row.position.height})
      put_number(std::bit_cast<std::uint64_t>(v), &bytes);
    put_number(row.at, &bytes);
  }
  put_number(Checksum().add(bytes).value(), &bytes);
  return bytes;
}

bool is_of_first_format(std::string_view bytes) { return bytes.starts_with(kFirstSlotMagic); }

// The file may be longer than the slot: an earlier one had more rows.
std::optional<Positions> read_slot(WorldKey key, std::string_view bytes, std::uint64_t* sequence) {
  const bool is_first_format = is_of_first_format(bytes);
  if (bytes.size() < kSlotHead + 8 || !(is_first_format || bytes.starts_with(kSlotMagic)))
    return std::nullopt;
  const std::size_t row_size = is_first_format ? kFirstSlotRow : kSlotRow;
  const std::uint64_t rows = number_at(bytes, 32);
  if (number_at(bytes, 8) != value(key) || rows > (bytes.size() - kSlotHead - 8) / row_size)
    return std::nullopt;
  const std::size_t size = kSlotHead + row_size * rows;
  if (Checksum().add(bytes.substr(0, size)).value() != number_at(bytes, size)) return std::nullopt;
  *sequence = number_at(bytes, 16);
  Positions positions;
  positions.at = number_at(bytes, 24);
  positions.rows.reserve(rows);
  for (std::size_t at = kSlotHead; at < size; at += row_size) {
    positions.rows.push_back(
        {AgentId{number_at(bytes, at)},
         {double_at(bytes, at + 8), double_at(bytes, at + 16), double_at(bytes, at + 24)},
         is_first_format ? positions.at : number_at(bytes, at + 32)});
  }
  return positions;
}

}  // namespace

std::string PositionSlots::path(int slot) const {
  return world_folder(key_) + "/positions-" + std::to_string(slot);
}

// A server of the first format does not see slots of this one, so it numbers its own from 1 again.
// Hence sequences order the slots of one format alone, where they hold although clocks jump. Each
// format has a newest slot. The one whose positions are later in time counts.
absl::StatusOr<Positions> PositionSlots::load(Disk& disk) {
  struct Newest {
    Positions positions;
    std::uint64_t sequence = 0;
    int slot = -1;
  };
  Newest first_format;
  Newest this_format;
  for (int slot = 0; slot < kSlots; ++slot) {
    const absl::StatusOr<std::string> bytes = disk.read(path(slot));
    std::uint64_t sequence = 0;
    if (absl::IsNotFound(bytes.status())) continue;
    // A slot that cannot be read now may be the newest one.
    if (!bytes.ok()) return bytes.status();
    std::optional<Positions> positions = read_slot(key_, *bytes, &sequence);
    Newest& newest = is_of_first_format(*bytes) ? first_format : this_format;
    if (!positions || sequence <= newest.sequence) continue;
    newest = {*std::move(positions), sequence, slot};
  }
  sequence_ = std::max(first_format.sequence, this_format.sequence);
  Newest& newest =
      first_format.positions.at > this_format.positions.at ? first_format : this_format;
  newest_ = newest.slot;
  if (newest_ >= 0) REPATH_RETURN_IF_ERROR(sync(disk));
  return std::move(newest.positions);
}

absl::Status PositionSlots::write(Disk& disk, const Positions& positions) {
  int slot = 0;
  while (slot == newest_ || slot == durable_) ++slot;
  REPATH_ASSIGN_OR_RETURN(const std::unique_ptr<DiskFile> file,
                          disk.open(path(slot), Disk::Open::kKeep));
  REPATH_RETURN_IF_ERROR(file->write(0, slot_bytes(key_, sequence_ + 1, positions)));
  ++sequence_;
  newest_ = slot;
  return absl::OkStatus();
}

absl::Status PositionSlots::sync(Disk& disk) {
  if (!needs_sync()) return absl::OkStatus();
  REPATH_ASSIGN_OR_RETURN(const std::unique_ptr<DiskFile> file,
                          disk.open(path(newest_), Disk::Open::kKeep));
  REPATH_RETURN_IF_ERROR(file->sync());
  REPATH_RETURN_IF_ERROR(disk.sync_folder(world_folder(key_)));
  durable_ = newest_;
  return absl::OkStatus();
}

}  // namespace repath
