#include "base/json_input.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace repath {
namespace {

std::string shown(double v) {
  std::string text = std::to_string(v);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string range(double least, double most) { return shown(least) + " to " + shown(most); }

absl::Status syntax_error(std::string_view text, std::size_t byte, const std::string& what) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n');
  const std::size_t column = start == std::string_view::npos ? byte : byte - start - 1;
  return invalid_field("JSON_SYNTAX", "",
                       "line " + std::to_string(line) + ", column " +
                           std::to_string(std::max<std::size_t>(column, 1)) + ": " + what);
}

// Where brackets open deeper than kJsonDepthMax; npos if nowhere.
std::size_t too_deep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '[' || c == '{')) {
      if (++depth > kJsonDepthMax) return i;
    } else if (!quoted && (c == ']' || c == '}')) {
      --depth;
    }
  }
  return std::string_view::npos;
}

}  // namespace

absl::StatusOr<Json> parse_json(std::string_view text, std::size_t bytes_max) {
  if (text.size() > bytes_max) {
    return make_error(absl::StatusCode::kResourceExhausted, "JSON_TOO_LARGE", "",
                      "the document has " + std::to_string(text.size()) + " bytes; the limit is " +
                          std::to_string(bytes_max));
  }
  if (const std::size_t at = too_deep(text); at != std::string_view::npos)
    return syntax_error(text, at + 1, "nested deeper than " + std::to_string(kJsonDepthMax));
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    return syntax_error(text, error.byte, "not JSON");
  } catch (const Json::exception&) {  // a number beyond all doubles
    return syntax_error(text, text.size(), "a number that cannot be represented");
  }
}

absl::Status json_field_error(std::string_view field, std::string_view message) {
  return invalid_field("JSON_FIELD", field, message);
}

absl::Status read_numbers(const Json& value, const std::string& field, std::size_t count,
                          double limit, double* out) {
  if (!value.is_array() || value.size() != count)
    return json_field_error(field, "must be a list of " + std::to_string(count) + " numbers");
  for (std::size_t i = 0; i < count; ++i) {
    if (!value[i].is_number() || !(std::abs(value[i].get<double>()) <= limit))
      return json_field_error(item(field, i), "must be a number from " + range(-limit, limit));
    out[i] = value[i].get<double>();
  }
  return absl::OkStatus();
}

const Json* JsonObject::find(std::string_view name) const {
  const auto found = value_->find(name);
  return found == value_->end() ? nullptr : &*found;
}

std::string JsonObject::field(std::string_view name) const {
  return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
}

absl::Status JsonObject::number(std::string_view name, double least, double most,
                                std::optional<double> fallback, double* out) const {
  const Json* value = find(name);
  if (value == nullptr && fallback) {
    *out = *fallback;
    return absl::OkStatus();
  }
  if (value == nullptr || !value->is_number() || !(value->get<double>() >= least) ||
      !(value->get<double>() <= most))
    return json_field_error(field(name), "must be a number from " + range(least, most));
  *out = value->get<double>();
  return absl::OkStatus();
}

absl::Status JsonObject::whole(std::string_view name, std::uint64_t most,
                               std::optional<std::uint64_t> fallback, std::uint64_t* out) const {
  const Json* value = find(name);
  if (value == nullptr && fallback) {
    *out = *fallback;
    return absl::OkStatus();
  }
  if (value == nullptr || !value->is_number_unsigned() || value->get<std::uint64_t>() > most)
    return json_field_error(field(name),
                            "must be a whole number from 0 to " + std::to_string(most));
  *out = value->get<std::uint64_t>();
  return absl::OkStatus();
}

absl::Status JsonObject::flag(std::string_view name, bool fallback, bool* out) const {
  const Json* value = find(name);
  if (value != nullptr && !value->is_boolean())
    return json_field_error(field(name), "must be true or false");
  *out = value == nullptr ? fallback : value->get<bool>();
  return absl::OkStatus();
}

absl::Status JsonObject::list(std::string_view name, bool may_miss, std::size_t size_max,
                              const Json** out) const {
  *out = find(name);
  if (*out == nullptr && may_miss) return absl::OkStatus();
  if (*out == nullptr || !(*out)->is_array())
    return json_field_error(field(name), "must be a list");
  if ((*out)->size() > size_max)
    return json_field_error(field(name), "has " + std::to_string((*out)->size()) +
                                             " items; the limit is " + std::to_string(size_max));
  return absl::OkStatus();
}

absl::Status JsonObject::numbers(std::string_view name, std::size_t count, double limit,
                                 double* out) const {
  const Json* value = find(name);
  if (value == nullptr)
    return json_field_error(field(name), "must be a list of " + std::to_string(count) + " numbers");
  return read_numbers(*value, field(name), count, limit, out);
}

absl::Status JsonObject::only(std::initializer_list<std::string_view> known) const {
  for (const auto& [name, value] : value_->items())
    if (std::find(known.begin(), known.end(), name) == known.end())
      return json_field_error(field(name), "is not known");
  return absl::OkStatus();
}

}  // namespace repath
