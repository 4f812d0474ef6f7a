#include "repath/session.h"

#include <utility>

#include "repath/internal/session_core.h"

namespace repath::client {

Session::Session(std::shared_ptr<SessionCore> core) : core_(std::move(core)) {}
Session::~Session() { core_->close(); }

std::uint64_t Session::upsert(std::vector<Agent> agents) {
  return core_->upsert(std::move(agents));
}
std::uint64_t Session::take_over(std::vector<Agent> agents) {
  return core_->take_over(std::move(agents));
}
std::uint64_t Session::report(const std::vector<AgentPosition>& positions) {
  return core_->report(positions);
}
std::uint64_t Session::remove(const std::vector<std::uint64_t>& agent_ids) {
  return core_->remove(agent_ids);
}
std::uint64_t Session::applied() const { return core_->applied(); }
std::uint64_t Session::settled_revision() const { return core_->settled_revision(); }
std::shared_ptr<const Path> Session::latest_path(std::uint64_t agent_id) const {
  return core_->latest_path(agent_id);
}
SessionState Session::state() const { return core_->state(); }
std::string Session::id() const { return core_->id(); }
std::string Session::secret() const { return core_->secret(); }

}  // namespace repath::client
