#include "rpc/status.h"

#include <charconv>
#include <string>

#include "base/error.h"
#include "google/rpc/error_details.pb.h"

namespace repath {
namespace {

constexpr std::string_view kRetryFact = "retry_delay_ms";
// gRPC sends an error among the headers, which have 8 KiB in all. Messages quote what the client
// sent, and have at most this.
constexpr std::size_t kTextBytesMax = 512;

// Returns the text, cut between two characters of UTF-8 if it is too long.
std::string clipped(std::string_view text) {
  if (text.size() <= kTextBytesMax) return std::string(text);
  std::size_t end = kTextBytesMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "...";
}

void add_error_info(const absl::Status& status, google::rpc::Status* out) {
  google::rpc::ErrorInfo info;
  const std::string reason = error_reason(status);
  info.set_reason(reason.empty() ? absl::StatusCodeToString(status.code()) : reason);
  info.set_domain("repath");
  for (const auto& [name, fact] : error_facts(status)) {
    if (name != kRetryFact) (*info.mutable_metadata())[name] = clipped(fact);
  }
  out->add_details()->PackFrom(info);
}

void add_bad_request(const absl::Status& status, google::rpc::Status* out) {
  const std::string field = error_field(status);
  if (field.empty()) return;
  google::rpc::BadRequest bad;
  auto* violation = bad.add_field_violations();
  violation->set_field(clipped(field));
  std::string description(status.message());
  if (description.rfind(field + ": ", 0) == 0) description.erase(0, field.size() + 2);
  violation->set_description(clipped(description));
  out->add_details()->PackFrom(bad);
}

void add_retry_info(const absl::Status& status, google::rpc::Status* out) {
  for (const auto& [name, fact] : error_facts(status)) {
    if (name != kRetryFact) continue;
    std::int64_t ms = 0;
    std::from_chars(fact.data(), fact.data() + fact.size(), ms);
    google::rpc::RetryInfo retry;
    retry.mutable_retry_delay()->set_seconds(ms / 1000);
    retry.mutable_retry_delay()->set_nanos(static_cast<std::int32_t>(ms % 1000) * 1'000'000);
    out->add_details()->PackFrom(retry);
  }
}

void add_precondition(const absl::Status& status, google::rpc::Status* out) {
  if (status.code() != absl::StatusCode::kFailedPrecondition) return;
  google::rpc::PreconditionFailure failure;
  auto* violation = failure.add_violations();
  violation->set_type(error_reason(status));
  violation->set_subject(clipped(error_field(status)));
  violation->set_description(clipped(std::string(status.message())));
  out->add_details()->PackFrom(failure);
}

}  // namespace

google::rpc::Status to_rpc_status(const absl::Status& status) {
  google::rpc::Status out;
  out.set_code(static_cast<int>(status.code()));
  out.set_message(clipped(std::string(status.message())));
  if (status.ok()) return out;
  add_error_info(status, &out);
  add_bad_request(status, &out);
  add_retry_info(status, &out);
  add_precondition(status, &out);
  return out;
}

grpc::Status to_grpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  const google::rpc::Status details = to_rpc_status(status);
  return {static_cast<grpc::StatusCode>(status.code()), details.message(),
          details.SerializeAsString()};
}

}  // namespace repath
