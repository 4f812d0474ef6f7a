// Reads JSON that comes from outside. Every mistake becomes an error that names the line or the
// field. Pure functions, safe on any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/work_meter.h"

namespace repath {

using Json = nlohmann::json;

// Maximum nesting of brackets, because nesting costs memory out of proportion to the text.
inline constexpr int kJsonDepthMax = 16;

// Parses the text. Errors:
// - INVALID_ARGUMENT, reason JSON_SYNTAX: names the line and the column, both counted from 1.
// - RESOURCE_EXHAUSTED, reason JSON_TOO_LARGE: the text has more than `bytes_max` bytes.
// - WorkMeter::error(): `work` does not allow for the work, or for the memory. The memory is
//   estimated from the text before any is allocated.
absl::StatusOr<Json> parse_json(std::string_view text, std::size_t bytes_max, WorkMeter* work);

// Receives the items of a document's lists one by one.
class JsonItems {
 public:
  virtual ~JsonItems() = default;
  // Begins a list. It replaces an earlier list of the same name.
  virtual void begin(std::string_view list) = 0;
  virtual void take(std::string_view list, std::size_t place, const Json& item) = 0;
};
// Parses a document whose lists are long, like parse_json(). It covers the lists that are members
// of the document's object: it hands their items to `items`, in the order of the text, and leaves
// the lists empty in the returned document. The memory limit counts one item at a time.
absl::StatusOr<Json> parse_json_items(std::string_view text, std::size_t bytes_max, WorkMeter* work,
                                      JsonItems* items);

// Reads the members of an object. Errors are INVALID_ARGUMENT with reason JSON_FIELD and the field
// `path`.name. Borrows the object.
class JsonObject {
 public:
  // REQUIRES: value.is_object().
  JsonObject(const Json& value, std::string path) : value_(&value), path_(std::move(path)) {}

  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::string field(std::string_view name) const;
  // Reads a number in [least, most]. A missing member gives `fallback`; it is an error if
  // `fallback` is empty.
  absl::Status number(std::string_view name, double least, double most,
                      std::optional<double> fallback, double* out) const;
  // Reads a whole number in [0, most]; `fallback` as in number().
  absl::Status whole(std::string_view name, std::uint64_t most,
                     std::optional<std::uint64_t> fallback, std::uint64_t* out) const;
  absl::Status flag(std::string_view name, bool fallback, bool* out) const;
  // Reads a list of at most `size_max` items. If `may_miss` allows it, a missing list sets `*out`
  // to null.
  absl::Status list(std::string_view name, bool may_miss, std::size_t size_max,
                    const Json** out) const;
  // Reads a list of exactly `count` numbers, each in [-limit, limit].
  absl::Status numbers(std::string_view name, std::size_t count, double limit, double* out) const;
  // Rejects every member whose name is not in `known`, because it is probably a typing error.
  absl::Status only(std::initializer_list<std::string_view> known) const;

 private:
  const Json* find(std::string_view name) const;

  const Json* value_;
  std::string path_;
};

absl::Status json_field_error(std::string_view field, std::string_view message);
// Reads `count` numbers, each in [-limit, limit].
absl::Status read_numbers(const Json& value, const std::string& field, std::size_t count,
                          double limit, double* out);

}  // namespace repath
