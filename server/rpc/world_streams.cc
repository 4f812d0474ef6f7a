#include "rpc/world_streams.h"

#include <utility>

#include "base/error.h"
#include "rpc/field.h"
#include "rpc/world_messages.h"

namespace repath {
namespace {

constexpr std::size_t kChunkMax = 1u << 20;

}  // namespace

// ---- import ----

void WorldImport::begin() {
  self_ = shared_from_this();
  StartRead(&part_);
}

void WorldImport::OnReadDone(bool ok) {
  if (!ok) return make_world();
  if (const absl::Status status = take(); !status.ok()) return Finish(to_grpc(status));
  StartRead(&part_);
}

absl::Status WorldImport::take() {
  const Field field;
  switch (part_.part_case()) {
    case v1::ImportWorldRequest::kHeader:
      if (has_header_)
        return refuse(field / "header", "HEADER_TWICE", "only the first part is a header");
      has_header_ = true;
      header_.Swap(part_.mutable_header());
      return check_import_header(header_, registry_);
    case v1::ImportWorldRequest::kChunk: {
      if (!has_header_) return refuse(field / "header", "HEADER_MISSING", "must be the first part");
      REPATH_RETURN_IF_ERROR(check_length(part_.chunk(), kChunkMax, field / "chunk"));
      const std::uint64_t most_mb = registry_.limits().import_mb_max;
      if (map_.size() + part_.chunk().size() > most_mb << 20) {
        return make_error(
            absl::StatusCode::kResourceExhausted, "IMPORT_TOO_LARGE", "chunk",
            "the file is larger than the limit of " + std::to_string(most_mb) + " MiB");
      }
      map_ += part_.chunk();
      return absl::OkStatus();
    }
    case v1::ImportWorldRequest::PART_NOT_SET:
      break;
  }
  return refuse(field / "part", "PART_MISSING", "must be a header or a chunk");
}

void WorldImport::make_world() {
  if (!has_header_) {
    return Finish(to_grpc(refuse(Field() / "header", "HEADER_MISSING", "must be the first part")));
  }
  auto world = to_imported_world(header_, std::move(map_), registry_);
  if (!world.ok()) return Finish(to_grpc(world.status()));
  registry_.create(*std::move(world), [this](absl::StatusOr<WorldInfo> made) {
    boost::asio::post(registry_.threads().writers(), [this, made = std::move(made)] {
      if (!made.ok()) return Finish(to_grpc(in_import(made.status())));
      fill_world(*made, response_);
      Finish(grpc::Status::OK);
    });
  });
}

// ---- watch ----

void WorldWatch::begin(std::shared_ptr<WorldHost> host, Revision start) {
  host_ = std::move(host);
  on_strand([this, start] {
    stream_ = host_->open_changes(start, std::static_pointer_cast<WorldWatch>(shared_from_this()));
  });
}

void WorldWatch::on_changes(std::vector<LogRecord> records, Revision revision) {
  enqueue([this, records = std::move(records), revision](v1::WatchWorldResponse* message) {
    for (const LogRecord& record : records) {
      if (absl::Status status = fill_change(record, host_->facts(), message->add_changes());
          !status.ok()) {
        return end(std::move(status), /*at_once=*/true);
      }
    }
    message->set_revision(value(revision));
    message->set_epoch(host_->facts().epoch);
  });
}

void WorldWatch::on_drained() { host_->ready(stream_); }

void WorldWatch::on_gone() {
  if (host_) host_->close_stream(stream_);
}

}  // namespace repath
