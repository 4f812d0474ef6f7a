#include "gateway/strict_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace repath {
namespace {

using Json = nlohmann::json;

// Returns a place in the text: line and column, both counted from 1.
std::string place_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::max<std::size_t>(byte, 1) - 1);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n') + 1;  // 0 on the first line
  return "line " + std::to_string(line) + ", column " + std::to_string(before.size() - start + 1);
}

// Follows the parser through the text. Each function returns whether the parser shall go on.
class FaultFinder final : public nlohmann::json_sax<Json> {
 public:
  explicit FaultFinder(std::string_view text) : text_(text) {}

  std::optional<JsonFault> take_fault() { return std::move(fault_); }

  bool null() override { return begin_value() && (!is_in_list() || fail("null in a list")); }
  bool boolean(bool) override { return begin_value(); }
  bool number_integer(number_integer_t) override { return begin_value(); }
  bool number_unsigned(number_unsigned_t) override { return begin_value(); }
  bool number_float(number_float_t, const string_t&) override { return begin_value(); }
  bool string(string_t&) override { return begin_value(); }
  bool binary(binary_t&) override { return begin_value(); }  // JSON has none
  bool start_object(std::size_t) override { return begin_value() && open(/*is_list=*/false); }
  bool key(string_t& name) override {
    levels_.back().name = name;
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override {
    begin_value();
    return is_in_list() ? fail("a list in a list") : open(/*is_list=*/true);
  }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t byte, const std::string&, const Json::exception& error) override {
    const bool is_syntax = dynamic_cast<const Json::parse_error*>(&error) != nullptr;
    fault_ = JsonFault{
        "", place_of(text_, byte) + (is_syntax ? ": this is no JSON" : ": a number is too large")};
    return false;
  }

 private:
  // An open list or object.
  struct Level {
    bool is_list = false;
    std::size_t items = 0;  // of a list, so far
    std::string name;       // of an object's member that was read last
  };

  bool is_in_list() const { return !levels_.empty() && levels_.back().is_list; }
  bool begin_value() {
    if (is_in_list()) ++levels_.back().items;
    return true;
  }
  bool open(bool is_list) {
    if (levels_.size() == kMessageDepthMax)
      return fail("nested deeper than " + std::to_string(kMessageDepthMax));
    levels_.push_back({is_list, 0, ""});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return true;
  }
  bool fail(std::string what) {
    fault_ = JsonFault{path(), std::move(what)};
    return false;
  }
  // Returns where the value is that has just begun.
  std::string path() const {
    std::string path;
    for (const Level& level : levels_)
      path += level.is_list ? "[" + std::to_string(level.items - 1) + "]"
                            : (path.empty() ? "" : ".") + level.name;
    return path;
  }

  const std::string_view text_;
  std::vector<Level> levels_;
  std::optional<JsonFault> fault_;
};

}  // namespace

std::optional<JsonFault> find_json_fault(std::string_view text) {
  FaultFinder finder(text);
  Json::sax_parse(text, &finder);
  return finder.take_fault();
}

}  // namespace repath
