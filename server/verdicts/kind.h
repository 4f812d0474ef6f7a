// The types and functions that the promise needs of one kind of world. Verdicts, AgentBook and the
// other templates of this room take them as `Kind`: grid_ground/grid_kind.h for grids,
// route_ground/route_kind.h for meshes and graphs.
//
// This room includes nothing of any kind, so it cannot depend on one. All functions are static and
// take the kind's state. Only a kind's own inner loops call them.
//
// Types:
//   `World`, `Commit`, `Options` the agents' world, the outcome of a batch, the settings.
//   `State`                  derives from BookCore; has `world`, `log` (DeltaLogOf), `goals`
//                            (GoalTableCore) and `agents` (SlotTable<Agent, Row>).
//   `Agent`, `Row`           derive from AgentCore and RowCore.
//   `Point`                  a point of a path.
//   `Positions`              is repath::Positions of this kind.
//   `CommitVerdicts`, `Settling`, `Planner` derive from CommitPass, SettlingCore, FrameRounds.
//
// Waiting:
//   `begin_wait`, `end_wait` the agent enters the queue, leaves it.
//   `kProofsReachOn`         true: the result of a search on revision q may be proved up to any
//                            later revision. False: it is proved for q or for today alone.
//
// Goals:
//   `take_goals`             the row has other goals; the agent's place is still unknown.
//   `forget_goals`           facts about ways to the agent's goals have become useless.
//   `forget_agent`           the agent is removed.
//   `has_free_goal`          returns whether some goal of the agent has free ground.
//
// The held path:
//   `let_go_path`            called before it is dropped.
//   `replace_path`           called before another path takes its place.
//   `take_up_path`           called after that, with the result of `replace_path`.
//
// Reports:
//   `Seen`                   the place where an agent was seen.
//   `put_at_position`        sets the agent's place by the position in its spec.
//   `find_on_path`           returns the place of its position on its held path, at or before it;
//                            empty: the position is off the path.
//   `walk`                   moves the agent there and takes the way off its costs. Returns true if
//                            the agent is in an obstacle now.
//   `find_place`             returns the other place where the agent was seen, and whether that is
//                            on an older path. Empty: the agent is where it was, and its path would
//                            begin where it did.
//   `move_to`                sets the agent's place, and makes it the begin of its path.
//   `move_in_obstacle`       sets the agent's place alone.
//   `is_free`, `can_step_to` free ground is there; one step leads there.
//
// Places, and what is shown:
//   `lose_origin`            takes the path's begin away: something is over the agent's place.
//   `is_on_ground`           the path begins at the agent's place.
//   `is_snapped`             another place stands in for the agent's, which is blocked.
//   `show_place`             writes the agent's place into an event, a view or a glance.
//   `is_where_told`          the agent is at the place that its latest verdict names.
//   `show_break`             writes the place where the held path is broken into an event.
//   `points_of`, `show_rest` a path's points; the rest of the held path.
//   `show_line`              writes the line of the held path that the agent drives, if its points
//                            do not.
//   `waypoints_behind`       number of points behind the agent, of the path as it was sent.
//   `claim_found`            writes the claim of a path that was found just now.
//   `claim_today`            writes the claim of the held path of a settled agent.
//
// Figures: add_stats, shared_bytes, memory_bytes.
#pragma once
