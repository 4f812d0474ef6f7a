#include <string>
#include <vector>

#include "rpc/fixture.h"

namespace repath {
namespace {

using test::Context;
using test::expect_fault;

// One stream, read until a message comes.
class SessionClient {
 public:
  SessionClient(v1::AgentService::Stub& stub, const std::string& world,
                const std::string& session) {
    stream_ = stub.Session(&context_);
    v1::SessionRequest request;
    request.set_sequence(++sequence_);
    request.mutable_open()->set_world(world);
    request.mutable_open()->set_session_id(session);
    request.mutable_open()->set_ack_window(16);
    stream_->Write(request);
  }

  void send(v1::SessionRequest request) {
    request.set_sequence(++sequence_);
    stream_->Write(request);
  }
  void upsert(std::uint64_t id, int x, int y, int goal_x, int goal_y, bool take_over = false) {
    v1::SessionRequest request;
    request.mutable_upsert()->set_take_over(take_over);
    auto* agent = request.mutable_upsert()->add_agents();
    agent->set_id(id);
    agent->mutable_position()->mutable_cell()->set_x(x);
    agent->mutable_position()->mutable_cell()->set_y(y);
    auto* goal = agent->add_goals()->mutable_cell();
    goal->set_x(goal_x);
    goal->set_y(goal_y);
    send(request);
  }
  v1::SessionResponse next() {
    v1::SessionResponse response;
    EXPECT_TRUE(stream_->Read(&response));
    return response;
  }
  // Reads batches up to the first with an event; returns its events.
  std::vector<v1::PathEvent> events() {
    for (int i = 0; i < 100; ++i) {
      const v1::SessionResponse response = next();
      if (response.answer_case() == v1::SessionResponse::ANSWER_NOT_SET) break;
      last_ = response.batch();
      if (last_.events_size() > 0) return {last_.events().begin(), last_.events().end()};
    }
    ADD_FAILURE() << "no event came";
    return {};
  }
  const v1::EventBatch& last() const { return last_; }
  void cut() { context_.TryCancel(); }
  grpc::Status finish() {
    v1::SessionResponse response;
    while (stream_->Read(&response)) {
    }
    return stream_->Finish();
  }

 private:
  Context context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::SessionRequest, v1::SessionResponse>> stream_;
  std::uint64_t sequence_ = 0;
  v1::EventBatch last_;
};

class AgentCalls : public test::Server {
 protected:
  v1::TickResponse tick(const std::string& session) {
    Context context;
    v1::TickRequest request;
    request.set_world("square");
    request.set_session_id(session);
    request.set_budget_work_units(100'000);
    v1::TickResponse response;
    const grpc::Status status = agents_->Tick(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }
};

TEST_F(AgentCalls, AShutDoorIsToldAtOnceAndThenReplanned) {
  import_square("square", true);
  SessionClient session(*agents_, "square", "s");
  EXPECT_EQ(session.next().opened().session_id(), "s");
  session.upsert(7, 0, 0, 9, 4);
  while (tick("s").applied_sequence() < 2) {
  }
  const auto first = session.events();
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].type(), v1::EVENT_TYPE_NEW_PATH);
  EXPECT_EQ(first[0].reason(), v1::EVENT_REASON_NEW_AGENT);
  EXPECT_EQ(first[0].path().status(), v1::PATH_STATUS_COMPLETE);
  apply(shut_door("square"));
  const auto cut = session.events();
  ASSERT_EQ(cut.size(), 1u);
  EXPECT_EQ(cut[0].type(), v1::EVENT_TYPE_INVALIDATED);
  EXPECT_EQ(cut[0].revision(), 2u);
  ASSERT_EQ(cut[0].cause_obstacles_size(), 1);
  EXPECT_EQ(cut[0].cause_obstacles(0), 1u);
  // The waypoint at the end of the run that leads into the cell of the door.
  const int broken = cut[0].first_invalid_waypoint();
  const v1::Path& path = first[0].path();
  ASSERT_GT(broken, 0);
  EXPECT_LE(path.cells(2 * broken - 1), 2);
  EXPECT_GE(path.cells(2 * broken + 1), 2);
  tick("s");
  EXPECT_EQ(session.events()[0].type(), v1::EVENT_TYPE_UNREACHABLE);
  EXPECT_EQ(session.last().settled_revision(), 2u);
  session.cut();
  EXPECT_EQ(session.finish().error_code(), grpc::CANCELLED);
}

TEST_F(AgentCalls, ACutSessionResumesWithEachLatestVerdictOnce) {
  import_square("square", true);
  {
    SessionClient session(*agents_, "square", "s");
    session.upsert(1, 0, 0, 9, 4);
    session.upsert(2, 1, 0, 9, 0);
    session.next();
    // The tick must come after the messages, so wait until they took effect.
    while (tick("s").applied_sequence() < 3) {
    }
    for (std::size_t seen = 0; seen < 2;) seen += session.events().size();
    session.cut();
    session.finish();
  }
  apply(shut_door("square"));
  tick("");
  SessionClient session(*agents_, "square", "s");
  const v1::SessionResponse opened = session.next();
  EXPECT_TRUE(opened.opened().resumed());
  EXPECT_EQ(opened.opened().agents(), 2u);
  const auto events = session.events();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].type(), v1::EVENT_TYPE_UNREACHABLE);
  EXPECT_EQ(events[1].type(), v1::EVENT_TYPE_NEW_PATH);
  EXPECT_EQ(session.last().settled_revision(), 2u);
  const v1::TickResponse ticked = tick("s");
  EXPECT_EQ(ticked.settled_revision(), 2u);
  EXPECT_EQ(ticked.last_batch_number(), session.last().batch_number());
}

TEST_F(AgentCalls, AWrongFirstMessageEndsTheStream) {
  import_square("square", false);
  Context context;
  auto stream = agents_->Session(&context);
  v1::SessionRequest request;
  request.mutable_acknowledge()->set_batch_number(1);
  stream->Write(request);
  v1::SessionResponse response;
  EXPECT_FALSE(stream->Read(&response));
  expect_fault(stream->Finish(), grpc::INVALID_ARGUMENT, "OPEN_MISSING", "open");
}

TEST_F(AgentCalls, AHalfClosedStreamWithoutAMessageHasNoFirstMessage) {
  Context context;
  auto stream = agents_->Session(&context);
  stream->WritesDone();
  v1::SessionResponse response;
  EXPECT_FALSE(stream->Read(&response));
  expect_fault(stream->Finish(), grpc::INVALID_ARGUMENT, "OPEN_MISSING", "open");
}

TEST_F(AgentCalls, ARefusedMessageIsRejectedInItsPlace) {
  import_square("square", false);
  SessionClient session(*agents_, "square", "s");
  session.next();
  session.upsert(7, 0, 0, 99, 99);
  v1::SessionResponse response = session.next();
  while (response.has_batch()) response = session.next();
  EXPECT_EQ(response.rejected().sequence(), 2u);
  google::rpc::BadRequest bad;
  for (const auto& any : response.rejected().status().details()) any.UnpackTo(&bad);
  EXPECT_EQ(bad.field_violations(0).field(), "upsert.agents[0].goals[0].cell");
  session.upsert(7, 0, 0, 9, 4);
  EXPECT_EQ(session.events()[0].agent_id(), 7u);
  session.cut();
  session.finish();
}

TEST_F(AgentCalls, AgentsWithoutASessionAreWatchedListedAndRemoved) {
  import_square("square", false);
  v1::UpsertAgentsRequest upsert;
  upsert.set_world("square");
  for (std::uint64_t id = 1; id <= 3; ++id) {
    auto* agent = upsert.add_agents();
    agent->set_id(id);
    set_cell(static_cast<int>(id), 0, agent->mutable_position());
    set_cell(9, 4, agent->add_goals());
  }
  Context watching;
  v1::WatchPathsRequest watch;
  watch.set_world("square");
  auto reader = agents_->WatchPaths(&watching, watch);
  Context upserting;
  v1::UpsertAgentsResponse upserted;
  ASSERT_TRUE(agents_->UpsertAgents(&upserting, upsert, &upserted).ok());
  int events = 0;
  v1::EventBatch batch;
  while (events < 3 && reader->Read(&batch)) events += batch.events_size();
  EXPECT_EQ(events, 3);

  v1::ListAgentsRequest list;
  list.set_world("square");
  list.set_page_size(2);
  list.set_with_paths(true);
  Context listing;
  v1::ListAgentsResponse page;
  ASSERT_TRUE(agents_->ListAgents(&listing, list, &page).ok());
  ASSERT_EQ(page.agents_size(), 2);
  EXPECT_EQ(page.next_page_token(), "3");
  EXPECT_GT(page.agents(0).verdict().path().cells_size(), 0);
  EXPECT_EQ(page.agents(0).settled_revision(), 1u);

  v1::RemoveAgentsRequest remove;
  remove.set_world("square");
  remove.add_agent_ids(1);
  remove.add_agent_ids(99);
  Context removing;
  v1::RemoveAgentsResponse removed;
  ASSERT_TRUE(agents_->RemoveAgents(&removing, remove, &removed).ok());
  EXPECT_EQ(removed.removed(), 1u);
  batch.Clear();
  while (batch.events_size() == 0 && reader->Read(&batch)) {
  }
  EXPECT_EQ(batch.events(0).type(), v1::EVENT_TYPE_REMOVED);
  EXPECT_EQ(batch.events(0).reason(), v1::EVENT_REASON_REMOVED_BY_CLIENT);

  v1::DeleteWorldRequest drop;
  drop.set_world("square");
  Context dropping;
  v1::DeleteWorldResponse dropped;
  ASSERT_TRUE(worlds_->DeleteWorld(&dropping, drop, &dropped).ok());
  int gone = 0;
  while (reader->Read(&batch)) gone += batch.events_size();
  EXPECT_EQ(gone, 2);
  expect_fault(reader->Finish(), grpc::NOT_FOUND, "WORLD_UNKNOWN", "world");
}

TEST_F(AgentCalls, ReportsMoveAgents) {
  import_square("square", true);
  SessionClient session(*agents_, "square", "s");
  session.next();
  session.upsert(7, 0, 0, 9, 4);
  while (tick("s").applied_sequence() < 2) {
  }
  const auto path = session.events()[0].path();
  v1::SessionRequest report;
  auto* position = report.mutable_report()->add_positions();
  position->set_id(7);
  position->set_path_version(path.path_version());
  position->mutable_position()->mutable_cell()->set_x(0);
  position->mutable_position()->mutable_cell()->set_y(1);
  session.send(report);
  while (tick("s").applied_sequence() < 3) {
  }
  Context context;
  v1::ListAgentsRequest list;
  list.set_world("square");
  v1::ListAgentsResponse page;
  ASSERT_TRUE(agents_->ListAgents(&context, list, &page).ok());
  EXPECT_EQ(page.agents(0).cell().y(), 1);
  EXPECT_FALSE(page.agents(0).waiting());
  session.cut();
  session.finish();
}

TEST_F(AgentCalls, DrainingEndsSessionsWithUnavailable) {
  import_square("square", false);
  SessionClient session(*agents_, "square", "s");
  session.next();
  registry_.drain();
  EXPECT_EQ(session.finish().error_code(), grpc::UNAVAILABLE);
  const auto begun = std::chrono::steady_clock::now();
  server_->shut_down(60'000);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
}

TEST_F(AgentCalls, StatsCountWhatHappened) {
  import_square("square", true);
  SessionClient session(*agents_, "square", "s");
  session.next();
  session.upsert(7, 0, 0, 9, 4);
  while (tick("s").applied_sequence() < 2) {
  }
  Context context;
  v1::GetStatsRequest request;
  request.set_world("square");
  v1::GetStatsResponse stats;
  ASSERT_TRUE(debug_->GetStats(&context, request, &stats).ok());
  EXPECT_EQ(stats.agents(), 1u);
  EXPECT_EQ(stats.events().at("NEW_PATH"), 1u);
  EXPECT_EQ(stats.strategies_size(), 5);
  EXPECT_GT(stats.work_units(), 0u);
  session.cut();
  session.finish();
}

TEST_F(AgentCalls, AnAgentThatIsTakenOverIsRemovedForItsOldOwner) {
  import_square("square", false);
  SessionClient old_one(*agents_, "square", "old");
  old_one.next();
  old_one.upsert(7, 0, 0, 9, 4);
  EXPECT_EQ(old_one.events()[0].type(), v1::EVENT_TYPE_NEW_PATH);
  SessionClient new_one(*agents_, "square", "new");
  new_one.next();
  new_one.upsert(7, 0, 0, 9, 4);
  v1::SessionResponse response = new_one.next();
  while (response.has_batch()) response = new_one.next();
  EXPECT_EQ(response.rejected().status().code(), grpc::PERMISSION_DENIED);
  google::rpc::ErrorInfo info;
  for (const auto& any : response.rejected().status().details()) any.UnpackTo(&info);
  EXPECT_EQ(info.reason(), "AGENT_OWNED");
  new_one.upsert(7, 0, 0, 9, 4, /*take_over=*/true);
  EXPECT_EQ(new_one.events()[0].type(), v1::EVENT_TYPE_NEW_PATH);
  const auto removed = old_one.events();
  EXPECT_EQ(removed[0].type(), v1::EVENT_TYPE_REMOVED);
  EXPECT_EQ(removed[0].reason(), v1::EVENT_REASON_TAKEN_OVER);
  for (SessionClient* session : {&old_one, &new_one}) {
    session->cut();
    session->finish();
  }
}

TEST_F(AgentCalls, AReportOfUnknownAgentsNamesThem) {
  import_square("square", false);
  SessionClient session(*agents_, "square", "s");
  session.next();
  v1::SessionRequest report;
  auto* position = report.mutable_report()->add_positions();
  position->set_id(99);
  set_cell(1, 1, position->mutable_position());
  session.send(report);
  v1::SessionResponse response = session.next();
  while (response.has_batch()) response = session.next();
  EXPECT_EQ(response.unknown().sequence(), 2u);
  ASSERT_EQ(response.unknown().agent_ids_size(), 1);
  EXPECT_EQ(response.unknown().agent_ids(0), 99u);
  session.cut();
  session.finish();
}

}  // namespace
}  // namespace repath
