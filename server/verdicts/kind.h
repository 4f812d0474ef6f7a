// What the promise needs of one kind of world. Verdicts, AgentBook and the other templates of this
// room take it as `Kind`: grid_ground/grid_kind.h for grids, route_ground/route_kind.h for meshes
// and graphs.
//
// This room includes nothing of any kind, so it cannot depend on one. All functions are static and
// take the kind's state; none is called in an inner loop that is not the kind's own.
//
// Types:
//   World, Commit, Options   what agents are in, what a batch came to, what is set for it
//   State : BookCore         with `world`, `log` (DeltaLogOf), `goals` (acquire, release, [] with
//                            `view`) and `agents` (SlotTable<Agent, Row>)
//   Agent : AgentCore, Row : RowCore, GoalsId, Point (of a path)
//   Positions, CommitVerdicts, Settling, Planner (over CommitPass, SettlingCore, FrameRounds)
// Waiting:
//   begin_wait, end_wait     the agent enters the queue, leaves it
//   kProofsReachOn           what a search found on revision q may be proved up to any later
//                            revision; else for q or for today alone
// Goals:
//   take_goals               the row has other goals; the agent's place is not known yet
//   forget_goals             what is known of ways to the agent's goals is of no use any more
//   forget_agent             it goes
// The held path:
//   let_go_path              before it is dropped
//   replace_path             before another takes its place; the result is handed to
//   take_up_path             after that
// Reports:
//   Seen                     where an agent was seen
//   put_at_position          sets its place as its spec says
//   find_on_path             where on its held path its position is, at or before it; empty:
//   nowhere walk                     moves it there and takes the way off its costs; true if it is
//   now in
//                            an obstacle
//   find_place               where else it was seen, and whether on an older path; empty: where it
//                            was, and its path would begin where it did
//   move_to, move_in_obstacle  sets its place, and that as its path's begin; its place alone
//   is_free, can_step_to     free ground is there; one step leads there
// Places, and what is shown:
//   lose_origin              its path begins nowhere: something is over its place
//   is_on_ground             its path begins where it is
//   is_snapped               another place stands in for the agent's, which is blocked
//   show_place               writes where it is into an event or a view
//   is_where_told            it is where its latest verdict says
//   show_break               writes where the held path is broken into an event
//   points_of, show_rest     a path's points; the rest of the held one
//   waypoints_behind         of the path as it was sent, behind the agent
//   claim_found              what is claimed of a path that was found just now
//   claim_today              what is claimed of the held path of a settled agent
// Figures: add_stats, shared_bytes, memory_bytes.
#pragma once
