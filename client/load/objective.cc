#include "load/objective.h"

#include <array>
#include <charconv>
#include <cmath>

namespace repath::load {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

std::optional<Objective> parse_objective(const std::string& text, std::string* problem) {
  static constexpr std::array kRelations{"<=", ">=", "==", "<", ">"};
  for (const char* relation : kRelations) {
    const std::size_t at = text.find(relation);
    if (at == std::string::npos) continue;
    const std::string bound = trimmed(text.substr(at + std::string(relation).size()));
    Objective objective{text, trimmed(text.substr(0, at)), relation, 0};
    const char* end = bound.data() + bound.size();
    const auto [stop, error] = std::from_chars(bound.data(), end, objective.bound);
    if (objective.key.empty() || bound.empty() || error != std::errc{} || stop != end ||
        !std::isfinite(objective.bound))
      break;
    return objective;
  }
  *problem = "\"" + text + "\" is not a dotted key, one of <= < >= > ==, and a number";
  return std::nullopt;
}

std::optional<double> number_at(const cli::Json& record, const std::string& dotted_key) {
  const cli::Json* at = &record;
  std::size_t from = 0;
  while (from <= dotted_key.size()) {
    const std::size_t dot = std::min(dotted_key.find('.', from), dotted_key.size());
    const std::string key = dotted_key.substr(from, dot - from);
    if (!at->is_object() || !at->contains(key)) return std::nullopt;
    at = &at->at(key);
    from = dot + 1;
  }
  if (at->is_boolean()) return at->get<bool>() ? 1 : 0;
  if (!at->is_number()) return std::nullopt;
  return at->get<double>();
}

bool is_met(const Objective& objective, const cli::Json& record) {
  const auto value = number_at(record, objective.key);
  if (!value) return false;
  if (objective.relation == "<=") return *value <= objective.bound;
  if (objective.relation == "<") return *value < objective.bound;
  if (objective.relation == ">=") return *value >= objective.bound;
  if (objective.relation == ">") return *value > objective.bound;
  return *value == objective.bound;
}

bool judge(const std::vector<Objective>& objectives, cli::Json& record) {
  bool all = true;
  cli::Json rows = cli::Json::array();
  for (const Objective& objective : objectives) {
    const auto value = number_at(record, objective.key);
    const bool met = is_met(objective, record);
    rows.push_back({{"objective", objective.text},
                    {"value", value ? cli::Json(*value) : cli::Json(nullptr)},
                    {"met", met}});
    all = all && met;
  }
  record["objectives"] = std::move(rows);
  record["objectives_met"] = all;
  return all;
}

}  // namespace repath::load
