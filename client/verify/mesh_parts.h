// A mesh whose agents may use different ground: one MeshModel for each set of flags that views
// exclude, over the cells without these flags. Border against other ground is border there. Walls
// do not grow along it, so these views must not be wider than the mesh was made for. Thread rule:
// one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "verify/mesh_model.h"

namespace repath::verify {

class MeshParts final : public RouteModel {
 public:
  // The views of all parts are counted through, part by part. Changes come from the first part.
  // REQUIRES: there is one.
  explicit MeshParts(std::vector<std::unique_ptr<MeshModel>> parts);

  bool is_continuous() const override { return true; }
  int views() const override { return static_cast<int>(views_.size()); }
  std::string profile(int view) const override;
  double turning_radius(int view) const override;
  std::uint32_t team(int view) const override;
  v1::ChangeBatch next_change(const std::vector<Spot>& spots, Dice& dice) override;
  bool take(const v1::ChangeBatch& batch, std::uint64_t revision, std::string* failure) override;
  Spot some_place(int view, Dice& dice) override;
  bool stands(int view, std::uint64_t revision, const Spot& at) override;
  Spot settled_at(int view, std::uint64_t revision, const Spot& at) override;
  Walked walk(int view, std::uint64_t revision, const Walk& walk) override;
  bool squeezes(int view, std::uint64_t revision, const Walk& walk) override;
  Verdict cheapest(int view, std::uint64_t revision, const Spot& from, const Spot& to,
                   double bound) override;
  void forget_before(std::uint64_t revision) override;

 private:
  // A view's part, and its number there.
  struct View {
    MeshModel* part;
    int number;
  };

  const View& view_of(int view) const { return views_[static_cast<std::size_t>(view)]; }

  std::vector<std::unique_ptr<MeshModel>> parts_;
  std::vector<View> views_;
};

}  // namespace repath::verify
