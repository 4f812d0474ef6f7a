#include "base/json_input.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.h"

namespace repath {
namespace {

constexpr std::uint64_t kUnitsPerByte = 4;

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

// Properties of a JSON document that one scan of its text finds.
struct Outline {
  // Position of the bracket that opens deeper than kJsonDepthMax; npos if there is none.
  std::size_t too_deep = std::string_view::npos;
  // Estimated memory of the parsed document; one item of a list counts at a time.
  std::uint64_t bytes = 0;
};

// Scans the text. The memory of everything inside brackets of depth `kept_depth` is free again when
// they close; with `kept_depth` 0 all memory stays in use.
Outline outline_of(std::string_view text, int kept_depth) {
  // An element of a growing list, including the copy made when the list grows.
  constexpr std::uint64_t kValue = 40;
  constexpr std::uint64_t kList = 64;
  constexpr std::uint64_t kObject = 80;
  constexpr std::uint64_t kMember = 96;
  constexpr std::uint64_t kQuote = 24;  // A string has two quotes.
  Outline outline;
  std::uint64_t bytes = 0;
  std::uint64_t before = 0;  // Value of `bytes` when the brackets of kept_depth opened.
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      quoted = !quoted;
      bytes += kQuote;
    } else if (quoted) {
      ++bytes;
      if (c == '\\') ++i;
    } else if (c == ',') {
      // Items that are dropped need no place in the list.
      bytes += depth + 1 == kept_depth ? 0 : kValue;
    } else if (c == ':') {
      bytes += kMember;
    } else if (c == '[' || c == '{') {
      if (++depth == kept_depth) before = bytes;
      bytes += c == '[' ? kList : kObject;
      if (depth > kJsonDepthMax) {
        outline.too_deep = i;
        return outline;
      }
    } else if (c == ']' || c == '}') {
      outline.bytes = std::max(outline.bytes, bytes);
      if (depth-- == kept_depth) bytes = before;
    }
  }
  outline.bytes = std::max(outline.bytes, bytes);
  return outline;
}

// Hands the items of lists to a JsonItems while the document is parsed.
class ItemFilter {
 public:
  ItemFilter(JsonItems* items, WorkMeter* work) : items_(*items), work_(*work) {}
  struct Stopped {};  // Thrown through the parser to end it.

  // Called by the parser. Returns whether the document keeps `value`.
  bool operator()(int depth, Json::parse_event_t event, Json& value) {
    using Event = Json::parse_event_t;
    if (depth == 1 && event == Event::key) list_ = value.get<std::string>();
    if (depth == 1 && (event == Event::array_start || event == Event::object_start)) {
      is_list_ = event == Event::array_start;
      if (is_list_) items_.begin(list_);
      place_ = 0;
    }
    if (depth == 1 && (event == Event::array_end || event == Event::object_end)) is_list_ = false;
    const bool is_end =
        event == Event::value || event == Event::object_end || event == Event::array_end;
    if (depth != 2 || !is_list_ || !is_end) return true;
    if (!work_.spend(kUnitsPerItem)) throw Stopped();
    items_.take(list_, place_++, value);
    return false;
  }

 private:
  static constexpr std::uint64_t kUnitsPerItem = 64;
  JsonItems& items_;
  WorkMeter& work_;
  std::string list_;
  std::size_t place_ = 0;
  bool is_list_ = false;
};

// `filter`: the parser's callback, or null.
absl::StatusOr<Json> parse(std::string_view text, std::size_t bytes_max, WorkMeter* work,
                           ItemFilter* filter) {
  if (text.size() > bytes_max) {
    return make_error(absl::StatusCode::kResourceExhausted, "JSON_TOO_LARGE", "",
                      "the document has " + std::to_string(text.size()) + " bytes; the limit is " +
                          std::to_string(bytes_max));
  }
  if (!work->spend(kUnitsPerByte * text.size())) return work->error("");
  // Nesting of an item: the brackets of the document, the list and the item.
  constexpr int kItemDepth = 3;
  const Outline outline = outline_of(text, filter == nullptr ? 0 : kItemDepth);
  if (outline.too_deep != std::string_view::npos)
    return syntax_error(text, outline.too_deep + 1,
                        "nested deeper than " + std::to_string(kJsonDepthMax));
  if (auto s = work->check_memory(outline.bytes, ""); !s.ok()) return s;
  try {
    return filter == nullptr ? Json::parse(text) : Json::parse(text, std::ref(*filter));
  } catch (const ItemFilter::Stopped&) {
    return work->error("");
  } catch (const Json::parse_error& error) {
    return syntax_error(text, error.byte, "not JSON");
  } catch (const Json::exception&) {  // For example a number that no double can hold.
    return syntax_error(text, text.size(), "a number that cannot be represented");
  }
}

}  // namespace

absl::StatusOr<Json> parse_json(std::string_view text, std::size_t bytes_max, WorkMeter* work) {
  return parse(text, bytes_max, work, nullptr);
}

absl::StatusOr<Json> parse_json_items(std::string_view text, std::size_t bytes_max, WorkMeter* work,
                                      JsonItems* items) {
  ItemFilter filter(items, work);
  return parse(text, bytes_max, work, &filter);
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
  return read_numbers(value == nullptr ? Json() : *value, field(name), count, limit, out);
}

absl::Status JsonObject::only(std::initializer_list<std::string_view> known) const {
  for (const auto& [name, value] : value_->items())
    if (std::find(known.begin(), known.end(), name) == known.end())
      return json_field_error(field(name), "is not known");
  return absl::OkStatus();
}

}  // namespace repath
