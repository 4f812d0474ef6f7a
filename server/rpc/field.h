// The place of a value in a request, and the checks that name it: Field() / "batch" /
// "upsert_obstacles" [2] / "id" reads "batch.upsert_obstacles[2].id". A plain value that allocates
// only when an error asks for its text.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/error.h"
#include "base/ids.h"

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

// The type in which a number of a message is compared with its limits.
template <class T>
using Widest =
    std::conditional_t<std::is_floating_point_v<T>, double,
                       std::conditional_t<std::is_unsigned_v<T>, std::uint64_t, std::int64_t>>;

// Return the error of a number that is not in [least, most], each as the shortest text that reads
// as the same number.
absl::Status out_of_range(double value, double least, double most, const Field& field);
absl::Status out_of_range(std::int64_t value, std::int64_t least, std::int64_t most,
                          const Field& field);
absl::Status out_of_range(std::uint64_t value, std::uint64_t least, std::uint64_t most,
                          const Field& field);

// Checks that the value is finite and in [least, most]; reasons NOT_FINITE and OUT_OF_RANGE.
template <class T>
absl::Status check_range(T value, std::type_identity_t<Widest<T>> least,
                         std::type_identity_t<Widest<T>> most, const Field& field) {
  if constexpr (std::is_floating_point_v<T>) {
    if (!std::isfinite(value)) return refuse(field, "NOT_FINITE", "must be a finite number");
  }
  if (value >= least && value <= most) return absl::OkStatus();
  return out_of_range(Widest<T>{value}, least, most, field);
}
// Reads a number in [least, most] of which 0 stands for the default: it leaves `*out` as it is.
template <class T, class Out>
absl::Status read_unless_zero(T value, std::type_identity_t<Widest<T>> least,
                              std::type_identity_t<Widest<T>> most, const Field& field, Out* out) {
  if (value == 0) return absl::OkStatus();
  *out = static_cast<Out>(value);
  return check_range(value, least, most, field);
}
// Reads the number of a team; reason OUT_OF_RANGE.
absl::StatusOr<TeamId> to_team(std::uint32_t team, const Field& field);
// Checks the number of entries; reason LIST_SIZE.
absl::Status check_count(int count, int least, int most, const Field& field);
// Checks for 1 to 64 characters of [A-Za-z0-9_.-]; reason NAME_INVALID.
absl::Status check_name(const std::string& name, const Field& field);
// Checks that the text has at most `most` bytes; reason TOO_LONG.
absl::Status check_length(const std::string& text, std::size_t most, const Field& field);
// Returns the error for a value that the enum does not have; reason ENUM_UNKNOWN.
absl::Status unknown_enum(int value, const Field& field);

// An enum of a message has the values of a plain enum in the same order. The plain enum begins with
// `kFirst`'s twin and ends with `kLast`. Reads such a value; UNSPECIFIED stands for `unspecified`.
template <auto kFirst, auto kLast>
absl::StatusOr<decltype(kLast)> to_plain(decltype(kFirst) message, const Field& field,
                                         decltype(kLast) unspecified = decltype(kLast){}) {
  if (message == 0) return unspecified;
  const int at = message - kFirst;
  if (at < 0 || at > static_cast<int>(kLast)) return unknown_enum(message, field);
  return static_cast<decltype(kLast)>(at);
}
// Returns the value of a message's enum whose values follow UNSPECIFIED in the order of the plain
// enum.
template <class Message, class Plain>
constexpr Message to_message(Plain value) {
  return static_cast<Message>(static_cast<int>(value) + 1);
}

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
