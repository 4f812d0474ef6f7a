#include "access/method_rules.h"

#include <algorithm>
#include <array>

namespace repath {
namespace {

constexpr std::string_view kWorld = "world";

constexpr std::array kRules{
    MethodRule{"repath.v1.WorldService.CreateWorld", Scope::kAdmin, "name"},
    MethodRule{"repath.v1.WorldService.ImportWorld", Scope::kAdmin, "header.world.name"},
    MethodRule{"repath.v1.WorldService.ForkWorld", Scope::kAdmin, "name", "source"},
    MethodRule{"repath.v1.WorldService.GetWorld", Scope::kRead, kWorld},
    MethodRule{"repath.v1.WorldService.ListWorlds", Scope::kRead, ""},
    MethodRule{"repath.v1.WorldService.DeleteWorld", Scope::kAdmin, kWorld},
    MethodRule{"repath.v1.WorldService.ApplyChanges", Scope::kWrite, kWorld},
    MethodRule{"repath.v1.WorldService.TestChanges", Scope::kRead, kWorld},
    MethodRule{"repath.v1.WorldService.GetTerrain", Scope::kRead, kWorld},
    MethodRule{"repath.v1.WorldService.ListObstacles", Scope::kRead, kWorld},
    MethodRule{"repath.v1.WorldService.GetGraph", Scope::kRead, kWorld},
    MethodRule{"repath.v1.WorldService.ExportWorld", Scope::kRead, kWorld},
    MethodRule{"repath.v1.WorldService.ReadChanges", Scope::kRead, kWorld},
    MethodRule{"repath.v1.WorldService.WatchWorld", Scope::kRead, kWorld},

    MethodRule{"repath.v1.PathService.FindPath", Scope::kRead, kWorld},
    MethodRule{"repath.v1.PathService.FindPaths", Scope::kRead, kWorld},
    MethodRule{"repath.v1.PathService.FindNearest", Scope::kRead, kWorld},
    MethodRule{"repath.v1.PathService.FindReachable", Scope::kRead, kWorld},
    MethodRule{"repath.v1.PathService.FindAway", Scope::kRead, kWorld},
    MethodRule{"repath.v1.PathService.GetFlowField", Scope::kRead, kWorld},
    MethodRule{"repath.v1.PathService.Raycast", Scope::kRead, kWorld},
    MethodRule{"repath.v1.PathService.CheckPath", Scope::kRead, kWorld},
    MethodRule{"repath.v1.PathService.FindRandomPoint", Scope::kRead, kWorld},

    MethodRule{"repath.v1.AgentService.Session", Scope::kAgents, "open.world"},
    MethodRule{"repath.v1.AgentService.UpsertAgents", Scope::kAgents, kWorld},
    MethodRule{"repath.v1.AgentService.ReportPositions", Scope::kAgents, kWorld},
    MethodRule{"repath.v1.AgentService.RemoveAgents", Scope::kAgents, kWorld},
    MethodRule{"repath.v1.AgentService.ListAgents", Scope::kRead, kWorld},
    MethodRule{"repath.v1.AgentService.WatchPaths", Scope::kRead, kWorld},
    MethodRule{"repath.v1.AgentService.Tick", Scope::kAgents, kWorld},

    MethodRule{"repath.v1.DebugService.ExplainPath", Scope::kRead, "request.world"},
    MethodRule{"repath.v1.DebugService.GetStats", Scope::kRead, kWorld},
    MethodRule{"repath.v1.DebugService.GetGround", Scope::kRead, kWorld},
    MethodRule{"repath.v1.DebugService.GrowObstacle", Scope::kRead, ""},

    MethodRule{"repath.v1.AdminService.Backup", Scope::kAdmin, ""},
};

}  // namespace

std::span<const MethodRule> method_rules() { return kRules; }

const MethodRule* rule_of(std::string_view method) {
  const auto* const found = std::ranges::find(kRules, method, &MethodRule::method);
  return found == kRules.end() ? nullptr : found;
}

}  // namespace repath
