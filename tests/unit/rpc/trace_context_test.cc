#include "rpc/trace_context.h"

#include <gtest/gtest.h>

#include <string>

namespace repath {
namespace {

constexpr const char* kTrace = "4bf92f3577b34da6a3ce929d0e0e4736";

std::string header_with(const std::string& version, const std::string& trace,
                        const std::string& parent, const std::string& flags) {
  return version + "-" + trace + "-" + parent + "-" + flags;
}

TEST(TraceContext, HasTheTraceIdOfAValidHeader) {
  const std::string header = header_with("00", kTrace, "00f067aa0ba902b7", "01");
  EXPECT_EQ(trace_id_of(header), kTrace);
  EXPECT_EQ(trace_id_of(header_with("cc", kTrace, "00f067aa0ba902b7", "01") + "-later"), kTrace);
  EXPECT_EQ(trace_text(trace_id_of(header)), std::string(" trace=") + kTrace);
}

TEST(TraceContext, OtherHeadersHaveNone) {
  const std::string parent = "00f067aa0ba902b7";
  const std::string right = header_with("00", kTrace, parent, "01");
  EXPECT_EQ(trace_text(trace_id_of("")), "");
  EXPECT_EQ(trace_id_of(right.substr(0, right.size() - 1)), "") << "too short";
  EXPECT_EQ(trace_id_of(right + "-more"), "") << "version 00 has no more";
  EXPECT_EQ(trace_id_of(header_with("cc", kTrace, parent, "01") + "x"), "");
  EXPECT_EQ(trace_id_of(header_with("ff", kTrace, parent, "01")), "");
  EXPECT_EQ(trace_id_of(header_with("0g", kTrace, parent, "01")), "");
  EXPECT_EQ(trace_id_of(header_with("00", std::string(32, '0'), parent, "01")), "");
  EXPECT_EQ(trace_id_of(header_with("00", kTrace, std::string(16, '0'), "01")), "");
  EXPECT_EQ(trace_id_of(header_with("00", kTrace, parent, "0\n")), "");
  std::string upper = right;
  upper[3] = 'A';
  EXPECT_EQ(trace_id_of(upper), "");
  for (const std::size_t dash : {2u, 35u, 52u}) {
    std::string other = right;
    other[dash] = '0';
    EXPECT_EQ(trace_id_of(other), "") << dash;
  }
}

}  // namespace
}  // namespace repath
