// The trace to which a call belongs, for log lines: the header `traceparent` of W3C Trace Context
// (https://www.w3.org/TR/trace-context/).
//
// Thread rule: pure functions; trace_of() while the call is not finished.
#pragma once

#include <grpcpp/server_context.h>

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

namespace repath {

// Returns the trace id of such a header, 32 hexadecimal digits; empty if the header is not valid.
// Borrows the header.
inline std::string_view trace_id_of(std::string_view header) {
  constexpr std::size_t kBytes = 55;  // VERSION-TRACE-PARENT-FLAGS: 2, 32, 16 and 2 digits
  if (header.size() < kBytes) return {};
  const std::string_view version = header.substr(0, 2);
  const std::string_view trace = header.substr(3, 32);
  const std::string_view parent = header.substr(36, 16);
  const auto is_hex = [](std::string_view digits) {
    return digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  };
  const auto is_zero = [](std::string_view digits) {
    return digits.find_first_not_of('0') == std::string_view::npos;
  };
  const bool has_more = header.size() > kBytes;  // allowed in later versions
  if (header[2] != '-' || header[35] != '-' || header[52] != '-') return {};
  if (!is_hex(version) || !is_hex(trace) || !is_hex(parent) || !is_hex(header.substr(53, 2)))
    return {};
  if (version == "ff" || is_zero(trace) || is_zero(parent)) return {};
  if (has_more && (version == "00" || header[kBytes] != '-')) return {};
  return trace;
}

// Returns the trace id of a call; empty if the call is of no trace, or names more than one.
inline std::string_view trace_of(const grpc::ServerContextBase& context) {
  const auto& metadata = context.client_metadata();
  const auto [first, last] = metadata.equal_range("traceparent");
  if (first == last || std::next(first) != last) return {};
  return trace_id_of({first->second.data(), first->second.size()});
}

// Returns " trace=ID" for the end of a log line; empty without a trace.
inline std::string trace_text(std::string_view trace) {
  return trace.empty() ? std::string() : " trace=" + std::string(trace);
}

}  // namespace repath
