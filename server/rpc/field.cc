#include "rpc/field.h"

#include <charconv>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "world/profile.h"

namespace repath {
namespace {

template <class Number>
absl::Status not_in(Number value, Number least, Number most, const Field& field) {
  const auto text = [](Number number) {
    std::array<char, 32> digits{};
    return std::string(digits.data(), std::to_chars(digits.begin(), digits.end(), number).ptr);
  };
  return refuse(field, "OUT_OF_RANGE",
                text(value) + " is not in [" + text(least) + ", " + text(most) + "]");
}

}  // namespace

Field Field::operator/(std::string_view name) const {
  REPATH_CHECK(depth_ < kDepth);
  Field child = *this;
  child.parts_[child.depth_++] = {name, kNoIndex};
  return child;
}

Field Field::operator[](std::size_t i) const {
  REPATH_CHECK(depth_ > 0);
  Field element = *this;
  element.parts_[depth_ - 1].place = i;
  return element;
}

std::string Field::text() const {
  std::string text;
  for (std::size_t i = 0; i < depth_; ++i) {
    if (i > 0) text += '.';
    text += parts_[i].name;
    if (parts_[i].place != kNoIndex) text += "[" + std::to_string(parts_[i].place) + "]";
  }
  return text;
}

absl::Status refuse(const Field& field, std::string_view reason, std::string_view message) {
  return invalid_field(reason, field.text(), message);
}

absl::Status out_of_range(double value, double least, double most, const Field& field) {
  return not_in(value, least, most, field);
}

absl::Status out_of_range(std::int64_t value, std::int64_t least, std::int64_t most,
                          const Field& field) {
  return not_in(value, least, most, field);
}

absl::Status out_of_range(std::uint64_t value, std::uint64_t least, std::uint64_t most,
                          const Field& field) {
  return not_in(value, least, most, field);
}

absl::StatusOr<TeamId> to_team(std::uint32_t team, const Field& field) {
  REPATH_RETURN_IF_ERROR(check_range(team, 0, kTeams - 1, field));
  return static_cast<TeamId>(team);
}

absl::Status check_count(int count, int least, int most, const Field& field) {
  if (count >= least && count <= most) return absl::OkStatus();
  return refuse(field, "LIST_SIZE",
                absl::StrCat("has ", count, " entries; must have ", least, " to ", most));
}

absl::Status check_name(const std::string& name, const Field& field) {
  if (is_name(name)) return absl::OkStatus();
  return refuse(field, "NAME_INVALID", "must be 1 to 64 characters of [A-Za-z0-9_.-]");
}

absl::Status check_length(const std::string& text, std::size_t most, const Field& field) {
  if (text.size() <= most) return absl::OkStatus();
  return refuse(field, "TOO_LONG",
                absl::StrCat("has ", text.size(), " bytes; at most ", most, " are allowed"));
}

absl::Status unknown_enum(int value, const Field& field) {
  return refuse(field, "ENUM_UNKNOWN", absl::StrCat(value, " is no value of this enum"));
}

}  // namespace repath
