// The place of a value in a request, and the checks that name it: Field() / "batch" /
// "upsert_obstacles" [2] / "id" reads "batch.upsert_obstacles[2].id". A plain value that allocates
// only when an error asks for its text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/error.h"

namespace repath {

class Field {
 public:
  Field() = default;

  // `name` is a literal that outlives the field. At most kDepth names (REPATH_CHECK).
  Field operator/(std::string_view name) const;
  // Returns the field of element `i` of the list named last.
  Field operator[](std::size_t i) const;
  std::string text() const;

 private:
  static constexpr std::size_t kDepth = 8;
  static constexpr std::size_t kNoIndex = ~std::size_t{0};
  struct Part {
    std::string_view name;
    std::size_t place = kNoIndex;
  };
  std::array<Part, kDepth> parts_{};
  std::size_t depth_ = 0;
};

// Returns INVALID_ARGUMENT that names the field.
absl::Status refuse(const Field& field, std::string_view reason, std::string_view message);

// Check that the value is finite and in [least, most]; reasons NOT_FINITE and OUT_OF_RANGE.
absl::Status check_range(double value, double least, double most, const Field& field);
absl::Status check_range(std::uint64_t value, std::uint64_t least, std::uint64_t most,
                         const Field& field);
absl::Status check_range(std::int64_t value, std::int64_t least, std::int64_t most,
                         const Field& field);
// Checks the number of entries; reason LIST_SIZE.
absl::Status check_count(int count, int least, int most, const Field& field);
// Checks for 1 to 64 characters of [A-Za-z0-9_.-]; reason NAME_INVALID.
absl::Status check_name(const std::string& name, const Field& field);
// Checks that the text has at most `most` bytes; reason TOO_LONG.
absl::Status check_length(const std::string& text, std::size_t most, const Field& field);
// Returns the error for a value that the enum does not have; reason ENUM_UNKNOWN.
absl::Status unknown_enum(int value, const Field& field);

// Converts an index of a repeated field, which Protobuf counts as an int. REQUIRES: i >= 0.
constexpr std::size_t place(int i) { return static_cast<std::size_t>(i); }

// Reads all messages of a list: `read(message, field of the element)` returns each as an
// absl::StatusOr. Fails with the first error.
template <class Messages, class Read>
auto read_list(const Messages& messages, const Field& field, Read read) {
  using Element = std::decay_t<decltype(*read(messages[0], field))>;
  std::vector<Element> elements;
  elements.reserve(place(messages.size()));
  for (int i = 0; i < messages.size(); ++i) {
    auto element = read(messages[i], field[place(i)]);
    if (!element.ok()) return absl::StatusOr<std::vector<Element>>(element.status());
    elements.push_back(*std::move(element));
  }
  return absl::StatusOr<std::vector<Element>>(std::move(elements));
}

}  // namespace repath
