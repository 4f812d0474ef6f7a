#include "rpc/admin_service.h"

#include <spdlog/spdlog.h>

#include <string>
#include <utility>

#include "rpc/calls.h"
#include "rpc/field.h"

namespace repath {
namespace {

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
      access.audit("*");
    } else {
      spdlog::warn("no backup folder={} reason=\"{}\"", path,
                   std::string(figures.status().message()));
    }
    finish(call, figures.status());
  });
  return call;
}

}  // namespace repath
