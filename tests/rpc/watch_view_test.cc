// DebugService.WatchView over a socket.
#include "rpc/fixture.h"

namespace repath {
namespace {

using namespace test;  // NOLINT: the fixture's names
using View = v1::WatchViewResponse;

class WatchView : public Server {
 protected:
  void add(std::uint64_t id, int x, int y, int goal_x, int goal_y) {
    v1::UpsertAgentsRequest request;
    request.set_world("hall");
    auto* agent = request.add_agents();
    agent->set_id(id);
    set_cell(x, y, agent->mutable_position());
    set_cell(goal_x, goal_y, agent->add_goals());
    Context context;
    v1::UpsertAgentsResponse response;
    const grpc::Status status = agents_->UpsertAgents(&context, request, &response);
    ASSERT_TRUE(status.ok()) << status.error_message();
  }
  std::unique_ptr<grpc::ClientReader<View>> watch(Context& context, const std::string& world) {
    v1::WatchViewRequest request;
    request.set_world(world);
    return debug_->WatchView(&context, request);
  }
  // Reads until a picture fits.
  template <class Fits>
  static View read_until(grpc::ClientReader<View>& reader, Fits fits) {
    View view;
    while (reader.Read(&view))
      if (fits(view)) return view;
    ADD_FAILURE() << "the stream ended";
    return {};
  }
};

TEST_F(WatchView, ShowsPlacesAndOutlooksAndWhatChanges) {
  import_square("hall", /*lockstep=*/false);
  add(7, 4, 0, 4, 4);
  add(9, 0, 1, 9, 1);
  Context context;
  const auto reader = watch(context, "hall");
  View view = read_until(*reader, [](const View& v) { return v.whole(); });
  ASSERT_EQ(view.agents_size(), 2);
  EXPECT_EQ(view.agents(0), 7u);
  EXPECT_EQ(view.agents(1), 2u);  // 9
  ASSERT_EQ(view.positions_size(), 4);
  EXPECT_EQ(view.positions(0), 4 * 64 + 32);
  EXPECT_EQ(view.positions(1), 32);
  EXPECT_EQ(view.agent_count(), 2u);

  const auto applied = apply(shut_door("hall"));
  view = read_until(*reader, [](const View& v) {
    return v.agents_size() > 0 && v.outlooks(0) == View::OUTLOOK_UNREACHABLE;
  });
  EXPECT_FALSE(view.whole());
  EXPECT_EQ(view.agents_size(), 1);
  EXPECT_EQ(view.agents(0), 7u);
  EXPECT_EQ(view.revision(), applied.revision());
  EXPECT_GE(view.verdicts(), 3u);

  v1::RemoveAgentsRequest remove;
  remove.set_world("hall");
  remove.add_agent_ids(9);
  Context removing;
  v1::RemoveAgentsResponse removed;
  ASSERT_TRUE(agents_->RemoveAgents(&removing, remove, &removed).ok());
  view = read_until(*reader, [](const View& v) { return v.removed_size() > 0; });
  EXPECT_EQ(view.removed(0), 9u);
  // Nothing new: a sign of life.
  view = read_until(*reader, [](const View& v) { return v.agents_size() == 0; });
  EXPECT_EQ(view.agent_count(), 1u);
  context.TryCancel();
}

TEST_F(WatchView, OfNoWorldIsRefused) {
  Context context;
  const auto reader = watch(context, "nowhere");
  View view;
  EXPECT_FALSE(reader->Read(&view));
  expect_fault(reader->Finish(), grpc::StatusCode::NOT_FOUND, "WORLD_UNKNOWN", "world");
}

}  // namespace
}  // namespace repath
