// Short ways to make what stores keep.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "base/byte_source.h"
#include "base/sha256.h"
#include "store/store.h"

namespace repath::test {

// Gives the bytes in two pieces.
class StringSource final : public ByteSource {
 public:
  explicit StringSource(std::string bytes) : bytes_(std::move(bytes)) {}
  bool next(std::string* out) override {
    const std::size_t n = at_ == 0 ? bytes_.size() / 2 : bytes_.size() - at_;
    out->append(bytes_, at_, n);
    at_ += n;
    return at_ < bytes_.size();
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

inline CatalogEntry entry_of(const std::string& name) {
  CatalogEntry entry;
  entry.name = name;
  entry.epoch = "epoch of " + name;
  entry.definition.fill(static_cast<std::uint8_t>(name.size()));
  entry.request_id = "request of " + name;
  entry.made_at = 1000;
  entry.facts = std::string("facts\0of ", 9) + name;
  return entry;
}

inline LogRecord record_of(std::uint64_t revision, std::size_t bytes = 10) {
  return {Revision{revision}, revision * 100, revision * 7,
          std::string(bytes, static_cast<char>('a' + revision % 26))};
}

inline LogUnit change_of(std::uint64_t revision, std::size_t bytes = 10) {
  LogUnit unit;
  unit.change = record_of(revision, bytes);
  return unit;
}

inline RequestRow request_of(const std::string& id, WallMicros at) {
  RequestRow row;
  row.request_id = id;
  row.content.fill(static_cast<std::uint8_t>(id.back()));
  row.at = at;
  row.answer = "answer of " + id;
  return row;
}

// Returns the lines of a backup's manifest with the last line that proves them.
inline std::string with_end(const std::string& lines) {
  std::string whole = lines + "end ";
  for (const std::uint8_t byte : sha256(lines))
    whole += {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
  return whole + "\n";
}

}  // namespace repath::test
