// A Disk in a folder of the file system.
#pragma once

#include "store/disk.h"

namespace repath {

class PosixDisk final : public Disk {
 public:
  // Makes the folder and its parents if they are missing.
  static absl::StatusOr<std::unique_ptr<PosixDisk>> open_folder(const std::string& folder);

  absl::StatusOr<std::unique_ptr<DiskFile>> open(const std::string& path, Open how) override;
  absl::StatusOr<std::string> read(const std::string& path) override;
  absl::StatusOr<std::string> read_part(const std::string& path, std::uint64_t offset,
                                        std::size_t size) override;
  absl::Status rename(const std::string& from, const std::string& to) override;
  absl::Status make_folder(const std::string& path) override;
  absl::Status sync_folder(const std::string& path) override;
  absl::Status remove(const std::string& path) override;
  absl::Status remove_folder(const std::string& path) override;
  absl::StatusOr<std::vector<std::string>> list(const std::string& path) override;
  absl::StatusOr<std::uint64_t> free_bytes() override;
  absl::StatusOr<std::unique_ptr<DiskLock>> lock(const std::string& path) override;

 private:
  explicit PosixDisk(std::string folder) : folder_(std::move(folder)) {}
  std::string at(const std::string& path) const { return folder_ + "/" + path; }
  const std::string folder_;
};

}  // namespace repath
