// Agents and clients' stream messages, between API messages and plain data. (event_bytes.h has the
// messages that streams write.) Pure functions, any thread.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "repath/v1/agent.pb.h"
#include "rpc/field.h"
#include "rpc/place_messages.h"
#include "runtime/world_host.h"

namespace repath {

inline constexpr int kUpsertsMax = 4096;
inline constexpr int kReportsMax = 16'384;
inline constexpr int kWatchedAgentsMax = 10'000;

absl::StatusOr<AgentSpec> to_agent(const v1::Agent& message, const MapUnits& map,
                                   const Field& field);
absl::StatusOr<std::vector<AgentSpec>> to_agents(
    const google::protobuf::RepeatedPtrField<v1::Agent>& messages, const MapUnits& map,
    const Field& field);
absl::StatusOr<std::vector<PositionReport>> to_reports(
    const google::protobuf::RepeatedPtrField<v1::AgentPosition>& messages, const MapUnits& map,
    const Field& field);
absl::StatusOr<std::vector<AgentId>> to_ids(
    const google::protobuf::RepeatedField<std::uint64_t>& ids, int least, int most,
    const Field& field);

// Reads what a caller shows to act for a session. `identity` names its token or certificate. Error:
// TOO_LONG.
absl::StatusOr<SessionProof> to_proof(const std::string& secret, std::string identity,
                                      const Field& field);
absl::StatusOr<SessionOpen> to_open(const v1::SessionRequest& request, const Limits& limits);
// A message that cannot be interpreted becomes SessionMessage::Refused, so that it keeps its place
// in the order. `keeps_bytes`: the message carries its agents' bytes, too.
SessionMessage to_session_message(const v1::SessionRequest& request, const MapUnits& map,
                                  bool keeps_bytes);
// Returns each agent as the log of a durable world keeps it: as the client sent it.
std::vector<std::string> agent_bytes(const google::protobuf::RepeatedPtrField<v1::Agent>& messages);

// Reads the agent's verdict back from the bytes that streams would send.
void fill_agent_state(const AgentView& agent, const MapUnits& map, v1::AgentState* out);
// Writes the newest verdicts, at most `limit` and about 2 MiB, the oldest of them first.
void fill_past_verdicts(const PastVerdicts& past, std::uint32_t limit, const MapUnits& map,
                        v1::ListVerdictsResponse* out);

}  // namespace repath
