#include "rpc/admin_service.h"

#include <spdlog/spdlog.h>

#include <string>
#include <utility>

#include "rpc/calls.h"
#include "rpc/field.h"

namespace repath {
namespace {

constexpr std::int32_t kSessionsMax = 1000;  // in a page
constexpr std::uint32_t kSessionsDefault = 100;

// The first character keeps the folder above and hidden names out.
absl::Status check_backup_name(const std::string& name) {
  REPATH_RETURN_IF_ERROR(check_name(name, Field() / "name"));
  if (std::string_view("_.-").find(name.front()) == std::string_view::npos) return absl::OkStatus();
  return refuse(Field() / "name", "NAME_INVALID", "must begin with a letter or digit");
}

void fill_backup(const BackupFigures& figures, const std::string& path, v1::BackupResponse* out) {
  out->set_folder(path);
  out->set_worlds(figures.worlds);
  out->set_files(figures.files);
  out->set_bytes(figures.bytes);
  out->set_linked(figures.linked);
  out->set_taken_at_us(figures.taken_at);
}

void fill_session(const SessionView& session, v1::SessionState* out) {
  out->set_session_id(session.name);
  out->set_connected(session.is_connected);
  out->set_client(session.client);
  out->set_has_secret(session.has_secret);
  out->set_agents(session.agents);
  out->set_opened_at_us(session.opened_at);
  out->set_idle_ms(session.idle_us / 1000);
  out->set_session_ttl_ms(static_cast<std::uint32_t>(session.ttl_us / 1000));
  out->set_expires_in_ms(session.left_us / 1000);
  out->set_applied_sequence(session.applied_sequence);
  out->set_unsent_bytes(session.unsent_bytes);
}

}  // namespace

UnaryCall* AdminService::Backup(CallContext* context, const v1::BackupRequest* request,
                                v1::BackupResponse* response) {
  auto* call = context->DefaultReactor();
  const CallAccess access = CallAccess::current();
  absl::Status refused = access.check_all_worlds();
  if (refused.ok()) refused = check_backup_name(request->name());
  const auto path = registry_.backup_path(request->name());
  if (refused.ok()) refused = path.status();
  if (!refused.ok()) return finish(call, refused);
  boost::asio::post(registry_.threads().disk(), [=, this, path = *path] {
    const Micros begun = now_us();
    const CallStop stop(context);
    const auto figures = registry_.backup(path, [&] { return stop.status(); });
    if (figures.ok()) {
      fill_backup(*figures, path, response);
      response->set_took_us(now_us() - begun);
      spdlog::info("backup folder={} worlds={} bytes={} us={}", path, figures->worlds,
                   figures->bytes, response->took_us());
      access.audit({.world = "*"});
    } else {
      spdlog::warn("no backup folder={} reason=\"{}\"", path,
                   std::string(figures.status().message()));
    }
    finish(call, figures.status());
  });
  return call;
}

UnaryCall* AdminService::ListSessions(CallContext* context, const v1::ListSessionsRequest* request,
                                      v1::ListSessionsResponse* response) {
  return ask_world(
      registry_, context, request->world(), [=](const WorldCall& call) -> absl::Status {
        std::uint32_t limit = kSessionsDefault;
        REPATH_RETURN_IF_ERROR(
            read_unless_zero(request->page_size(), 0, kSessionsMax, Field() / "page_size", &limit));
        if (!request->page_token().empty())
          REPATH_RETURN_IF_ERROR(check_name(request->page_token(), Field() / "page_token"));
        const auto fill = [response](const SessionPage& page) {
          for (const SessionView& session : page.sessions)
            fill_session(session, response->add_sessions());
          if (!page.is_last) response->set_next_page_token(page.sessions.back().name);
        };
        call.host->list_sessions(request->page_token(), limit, call.answer<SessionPage>(fill));
        return absl::OkStatus();
      });
}

UnaryCall* AdminService::CloseSession(CallContext* context, const v1::CloseSessionRequest* request,
                                      v1::CloseSessionResponse* response) {
  return ask_world(
      registry_, context, request->world(), [=](const WorldCall& call) -> absl::Status {
        REPATH_RETURN_IF_ERROR(check_name(request->session_id(), Field() / "session_id"));
        const auto fill = [=](std::uint64_t removed) { response->set_removed_agents(removed); };
        const auto audit = [host = call.host, session = request->session_id(),
                            access = CallAccess::current()](std::uint64_t) {
          audit_now(access, *host, session);
        };
        call.host->close_session(request->session_id(), call.answer<std::uint64_t>(fill, audit));
        return absl::OkStatus();
      });
}

}  // namespace repath
