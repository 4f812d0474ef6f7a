#include "verify/mesh_parts.h"

#include <algorithm>

namespace repath::verify {

MeshParts::MeshParts(std::vector<std::unique_ptr<MeshModel>> parts) : parts_(std::move(parts)) {
  for (const auto& part : parts_)
    for (int number = 0; number < part->views(); ++number) views_.push_back({part.get(), number});
}

std::string MeshParts::profile(int view) const {
  return view_of(view).part->profile(view_of(view).number);
}

double MeshParts::turning_radius(int view) const {
  return view_of(view).part->turning_radius(view_of(view).number);
}

std::uint32_t MeshParts::team(int view) const {
  return view_of(view).part->team(view_of(view).number);
}

v1::ChangeBatch MeshParts::next_change(const std::vector<Spot>& spots, Dice& dice) {
  return parts_.front()->next_change(spots, dice);
}

bool MeshParts::take(const v1::ChangeBatch& batch, std::uint64_t revision, std::string* failure) {
  return std::ranges::all_of(
      parts_, [&](const auto& part) { return part->take(batch, revision, failure); });
}

Spot MeshParts::some_place(int view, Dice& dice) {
  return view_of(view).part->some_place(view_of(view).number, dice);
}

bool MeshParts::stands(int view, std::uint64_t revision, const Spot& at) {
  return view_of(view).part->stands(view_of(view).number, revision, at);
}

Spot MeshParts::settled_at(int view, std::uint64_t revision, const Spot& at) {
  return view_of(view).part->settled_at(view_of(view).number, revision, at);
}

Walked MeshParts::walk(int view, std::uint64_t revision, const Walk& walk) {
  return view_of(view).part->walk(view_of(view).number, revision, walk);
}

bool MeshParts::squeezes(int view, std::uint64_t revision, const Walk& walk) {
  return view_of(view).part->squeezes(view_of(view).number, revision, walk);
}

Verdict MeshParts::cheapest(int view, std::uint64_t revision, const Spot& from, const Spot& to,
                            double bound) {
  return view_of(view).part->cheapest(view_of(view).number, revision, from, to, bound);
}

void MeshParts::forget_before(std::uint64_t revision) {
  for (const auto& part : parts_) part->forget_before(revision);
}

}  // namespace repath::verify
