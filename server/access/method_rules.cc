#include "access/method_rules.h"

#include <algorithm>
#include <array>

namespace repath {
namespace {

constexpr std::string_view kWorld = "world";

constexpr std::array kRules{
    MethodRule{"repath.v1.WorldService.CreateWorld", Scope::kAdmin, "name", Load::kGrow},
    MethodRule{"repath.v1.WorldService.ImportWorld", Scope::kAdmin, "header.world.name",
               Load::kGrow},
    MethodRule{"repath.v1.WorldService.ForkWorld", Scope::kAdmin, "name", Load::kGrow, "source"},
    MethodRule{"repath.v1.WorldService.GetWorld", Scope::kRead, kWorld, Load::kLook},
    MethodRule{"repath.v1.WorldService.ListWorlds", Scope::kRead, "", Load::kLook},
    MethodRule{"repath.v1.WorldService.DeleteWorld", Scope::kAdmin, kWorld, Load::kShed},
    MethodRule{"repath.v1.WorldService.ApplyChanges", Scope::kWrite, kWorld, Load::kEdit},
    MethodRule{"repath.v1.WorldService.TestChanges", Scope::kRead, kWorld, Load::kQuery},
    MethodRule{"repath.v1.WorldService.GetTerrain", Scope::kRead, kWorld, Load::kQuery},
    MethodRule{"repath.v1.WorldService.ListObstacles", Scope::kRead, kWorld, Load::kQuery},
    MethodRule{"repath.v1.WorldService.GetGraph", Scope::kRead, kWorld, Load::kQuery},
    MethodRule{"repath.v1.WorldService.ExportWorld", Scope::kRead, kWorld, Load::kQuery},
    MethodRule{"repath.v1.WorldService.ReadChanges", Scope::kRead, kWorld, Load::kQuery},
    MethodRule{"repath.v1.WorldService.WatchWorld", Scope::kRead, kWorld, Load::kGrow},

    MethodRule{"repath.v1.PathService.FindPath", Scope::kRead, kWorld, Load::kQuery},
    MethodRule{"repath.v1.PathService.FindPaths", Scope::kRead, kWorld, Load::kQuery},
    MethodRule{"repath.v1.PathService.FindNearest", Scope::kRead, kWorld, Load::kQuery},
    MethodRule{"repath.v1.PathService.FindReachable", Scope::kRead, kWorld, Load::kQuery},
    MethodRule{"repath.v1.PathService.FindAway", Scope::kRead, kWorld, Load::kQuery},
    MethodRule{"repath.v1.PathService.GetFlowField", Scope::kRead, kWorld, Load::kQuery},
    MethodRule{"repath.v1.PathService.FindPlacements", Scope::kRead, kWorld, Load::kQuery},
    MethodRule{"repath.v1.PathService.Raycast", Scope::kRead, kWorld, Load::kQuery},
    MethodRule{"repath.v1.PathService.CheckPath", Scope::kRead, kWorld, Load::kQuery},
    MethodRule{"repath.v1.PathService.FindRandomPoint", Scope::kRead, kWorld, Load::kQuery},

    MethodRule{"repath.v1.AgentService.Session", Scope::kAgents, "open.world", Load::kGrow},
    MethodRule{"repath.v1.AgentService.UpsertAgents", Scope::kAgents, kWorld, Load::kEdit},
    MethodRule{"repath.v1.AgentService.ReportPositions", Scope::kAgents, kWorld, Load::kEdit},
    MethodRule{"repath.v1.AgentService.RemoveAgents", Scope::kAgents, kWorld, Load::kShed},
    MethodRule{"repath.v1.AgentService.ListVerdicts", Scope::kRead, kWorld, Load::kQuery},
    MethodRule{"repath.v1.AgentService.ListAgents", Scope::kRead, kWorld, Load::kQuery},
    MethodRule{"repath.v1.AgentService.WatchPaths", Scope::kRead, kWorld, Load::kGrow},
    MethodRule{"repath.v1.AgentService.Tick", Scope::kAgents, kWorld, Load::kEdit},

    MethodRule{"repath.v1.DebugService.ExplainPath", Scope::kRead, "request.world", Load::kQuery},
    MethodRule{"repath.v1.DebugService.GetStats", Scope::kRead, kWorld, Load::kLook},
    MethodRule{"repath.v1.DebugService.WatchView", Scope::kRead, kWorld, Load::kGrow},
    MethodRule{"repath.v1.DebugService.GetGround", Scope::kRead, kWorld, Load::kQuery},
    MethodRule{"repath.v1.DebugService.GrowObstacle", Scope::kRead, "", Load::kQuery},

    MethodRule{"repath.v1.AdminService.Backup", Scope::kAdmin, "", Load::kGrow},
    MethodRule{"repath.v1.AdminService.ListSessions", Scope::kAdmin, kWorld, Load::kLook},
    MethodRule{"repath.v1.AdminService.CloseSession", Scope::kAdmin, kWorld, Load::kShed},
};

}  // namespace

std::span<const MethodRule> method_rules() { return kRules; }

const MethodRule* rule_of(std::string_view method) {
  const auto* const found = std::ranges::find(kRules, method, &MethodRule::method);
  return found == kRules.end() ? nullptr : found;
}

}  // namespace repath
