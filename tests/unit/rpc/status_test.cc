#include "rpc/status.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "google/rpc/error_details.pb.h"
#include "rpc/field.h"

namespace repath {
namespace {

template <class Detail>
std::vector<Detail> details(const google::rpc::Status& status) {
  std::vector<Detail> found;
  for (const auto& any : status.details()) {
    Detail detail;
    if (any.UnpackTo(&detail)) found.push_back(detail);
  }
  return found;
}

TEST(Field, ReadsAsTheRequestNamesIt) {
  EXPECT_EQ((((Field() / "batch" / "upsert_obstacles")[2]) / "id").text(),
            "batch.upsert_obstacles[2].id");
  EXPECT_EQ(Field().text(), "");
}

TEST(Field, ARangeNamesFieldAndLimit) {
  const absl::Status status = check_range(1e9, 0, 5, Field() / "radius");
  EXPECT_EQ(error_field(status), "radius");
  EXPECT_EQ(status.message(), "radius: 1e+09 is not in [0, 5]");
  EXPECT_EQ(check_range(1.00000001, 0, 1, Field() / "ratio").message(),
            "ratio: 1.00000001 is not in [0, 1]");
  EXPECT_EQ(error_reason(check_range(0.0 / 0.0, 0, 5, Field() / "radius")), "NOT_FINITE");
}

TEST(RpcStatus, EveryFaultHasExactlyOneErrorInfo) {
  const auto plain = to_rpc_status(absl::InternalError("oops"));
  ASSERT_EQ(details<google::rpc::ErrorInfo>(plain).size(), 1u);
  EXPECT_EQ(details<google::rpc::ErrorInfo>(plain)[0].reason(), "INTERNAL");
  EXPECT_EQ(details<google::rpc::ErrorInfo>(plain)[0].domain(), "repath");
}

TEST(RpcStatus, AFieldAtFaultBecomesABadRequest) {
  const auto status = to_rpc_status(invalid_field("OUT_OF_RANGE", "a[1].b", "must be less"));
  EXPECT_EQ(status.code(), 3);
  const auto bad = details<google::rpc::BadRequest>(status);
  ASSERT_EQ(bad.size(), 1u);
  EXPECT_EQ(bad[0].field_violations(0).field(), "a[1].b");
  EXPECT_EQ(bad[0].field_violations(0).description(), "must be less");
  EXPECT_EQ(details<google::rpc::ErrorInfo>(status)[0].reason(), "OUT_OF_RANGE");
}

// gRPC sends errors among headers, which have 8 KiB in all.
TEST(RpcStatus, WhatTheClientSentIsQuotedInPart) {
  std::string name;
  for (int i = 0; i < 2000; ++i) name += "\xc3\xa9";  // e with an acute accent
  const grpc::Status status = to_grpc(with_fact(
      make_error(absl::StatusCode::kFailedPrecondition, "TAKEN", "name", name + " is taken"),
      "name", name));
  EXPECT_EQ(status.error_message().size(), 512u + 3) << "whole characters, and three dots";
  EXPECT_LT(status.error_details().size(), 4000u);
  google::rpc::Status details;
  EXPECT_TRUE(details.ParseFromString(status.error_details())) << "it is UTF-8";
}

TEST(RpcStatus, FactsBecomeMetadataAndADelayBecomesRetryInfo) {
  absl::Status full =
      make_error(absl::StatusCode::kResourceExhausted, "QUERY_QUEUE_FULL", "", "full");
  full = with_fact(with_fact(full, "limit", "7"), "retry_delay_ms", "1500");
  const auto status = to_rpc_status(full);
  const auto info = details<google::rpc::ErrorInfo>(status);
  ASSERT_EQ(info[0].metadata().size(), 1u);
  EXPECT_EQ(info[0].metadata().at("limit"), "7");
  const auto retry = details<google::rpc::RetryInfo>(status);
  ASSERT_EQ(retry.size(), 1u);
  EXPECT_EQ(retry[0].retry_delay().seconds(), 1);
  EXPECT_EQ(retry[0].retry_delay().nanos(), 500'000'000);
}

TEST(RpcStatus, APreconditionSaysWhatAndWhy) {
  const auto status = to_rpc_status(make_error(absl::StatusCode::kFailedPrecondition,
                                               "NOT_LOCKSTEP", "world", "make it lockstep"));
  const auto failure = details<google::rpc::PreconditionFailure>(status);
  ASSERT_EQ(failure.size(), 1u);
  EXPECT_EQ(failure[0].violations(0).type(), "NOT_LOCKSTEP");
  EXPECT_EQ(failure[0].violations(0).subject(), "world");
}

}  // namespace
}  // namespace repath
