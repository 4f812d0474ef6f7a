// The memory of messages, told from their bytes before they are read.
#include "rpc/raw_message.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "repath/v1/agent.pb.h"
#include "repath/v1/path.pb.h"
#include "repath/v1/world.pb.h"

namespace repath {
namespace {

template <class Message>
std::uint64_t told(const Message& message) {
  return decoded_bytes(*Message::descriptor(), message.SerializeAsString());
}

// A figure that is far too small would let a client make the server hold more. One that is far too
// large would refuse ordinary messages.
template <class Message>
void expect_close(const Message& message) {
  Message read;
  ASSERT_TRUE(read.ParseFromString(message.SerializeAsString()));
  const std::uint64_t is = read.SpaceUsedLong();
  EXPECT_GE(told(message), is * 3 / 4);
  EXPECT_LE(told(message), is * 3);
}

TEST(DecodedBytes, AreThoseOfMessagesInMessages) {
  v1::UpsertAgentsRequest full;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    v1::Agent& agent = *full.add_agents();
    agent.set_id(~i);
    agent.set_profile("a profile with a long name");
    agent.mutable_position()->mutable_cell()->set_x(7);
    for (int goal = 0; goal < 3; ++goal) agent.add_goals()->mutable_position()->set_x(goal);
  }
  expect_close(full);
  v1::UpsertAgentsRequest empty;
  for (int i = 0; i < 100'000; ++i) empty.add_agents();
  expect_close(empty);
}

TEST(DecodedBytes, AreThoseOfTextsAndPackedNumbers) {
  v1::RemoveAgentsRequest numbers;
  for (std::uint64_t i = 0; i < 100'000; ++i) numbers.add_agent_ids(~i >> (i % 64));
  expect_close(numbers);
  v1::ImportWorldRequest part;
  part.set_chunk(std::string(1 << 20, 'x'));
  expect_close(part);
}

TEST(DecodedBytes, StopAboveTheLimit) {
  const char tag = static_cast<char>(v1::UpsertAgentsRequest::kAgentsFieldNumber << 3 | 2);
  std::string bytes;  // agents without a field
  while (bytes.size() < (4 << 20)) bytes += {tag, '\0'};
  const std::uint64_t decoded = decoded_bytes(*v1::UpsertAgentsRequest::descriptor(), bytes);
  EXPECT_GT(decoded, kDecodedBytesMax);
  EXPECT_LT(decoded, kDecodedBytesMax + 10'000);
  EXPECT_EQ(error_reason(check_decoded(decoded)), "MESSAGE_TOO_LARGE");
}

TEST(DecodedBytes, OfBytesThatAreNoMessageAreThoseThatCanBeRead) {
  const auto& type = *v1::FindPathRequest::descriptor();
  for (const char byte : {'\xff', '\x0a', '\x07', '\0'}) {
    const std::string bytes(10'000, byte);
    EXPECT_LT(decoded_bytes(type, bytes), 1'000'000u);
  }
}

}  // namespace
}  // namespace repath
