#include "base/error.h"

#include <algorithm>

#include "absl/strings/cord.h"
#include "base/check.h"

namespace repath {
namespace {

constexpr std::string_view kReasonUrl = "repath.reason";
constexpr std::string_view kFieldUrl = "repath.field";
constexpr std::string_view kFactUrl = "repath.fact.";

// Debian builds Abseil for C++14, where absl::string_view is a type of its own.
absl::string_view to_absl(std::string_view s) { return {s.data(), s.size()}; }

std::string payload(const absl::Status& status, std::string_view url) {
  const auto cord = status.GetPayload(to_absl(url));
  return cord ? std::string(*cord) : std::string();
}

}  // namespace

absl::Status make_error(absl::StatusCode code, std::string_view reason, std::string_view field,
                        std::string_view message) {
  REPATH_CHECK(code != absl::StatusCode::kOk);
  std::string text(field);
  if (!field.empty()) text += ": ";
  text += message;
  absl::Status status(code, text);
  status.SetPayload(to_absl(kReasonUrl), absl::Cord(to_absl(reason)));
  if (!field.empty()) status.SetPayload(to_absl(kFieldUrl), absl::Cord(to_absl(field)));
  return status;
}

absl::Status invalid_field(std::string_view reason, std::string_view field,
                           std::string_view message) {
  return make_error(absl::StatusCode::kInvalidArgument, reason, field, message);
}

std::string item(std::string_view list, std::size_t i) {
  return std::string(list) + "[" + std::to_string(i) + "]";
}

std::string error_reason(const absl::Status& status) { return payload(status, kReasonUrl); }
std::string error_field(const absl::Status& status) { return payload(status, kFieldUrl); }

absl::Status with_fact(absl::Status status, std::string_view name, std::string_view fact) {
  const std::string url = std::string(kFactUrl) + std::string(name);
  status.SetPayload(to_absl(url), absl::Cord(to_absl(fact)));
  return status;
}

std::vector<std::pair<std::string, std::string>> error_facts(const absl::Status& status) {
  std::vector<std::pair<std::string, std::string>> facts;
  status.ForEachPayload([&facts](absl::string_view url, const absl::Cord& fact) {
    const std::string_view name(url.data(), url.size());
    if (name.substr(0, kFactUrl.size()) == kFactUrl) {
      facts.emplace_back(std::string(name.substr(kFactUrl.size())), std::string(fact));
    }
  });
  std::sort(facts.begin(), facts.end());
  return facts;
}

absl::Status with_field(const absl::Status& status, std::string_view field) {
  const std::string old = error_field(status);
  std::string message(status.message());
  if (message.compare(0, old.size(), old) == 0) message.erase(0, old.size() + 2);
  absl::Status named = make_error(status.code(), error_reason(status), field, message);
  for (const auto& [name, fact] : error_facts(status)) named = with_fact(named, name, fact);
  return named;
}

absl::Status with_field_prefix(const absl::Status& status, std::string_view prefix) {
  const std::string field = error_field(status);
  return field.empty() ? status : with_field(status, std::string(prefix) + field);
}

}  // namespace repath
