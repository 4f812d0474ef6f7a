// Names of verdicts, and the states of agents that follow from them.
import { EventReason, EventType, type PathEvent } from '../../gen/repath/v1/event_pb';
import { PathStatus } from '../../gen/repath/v1/common_pb';
import { agentStates, type AgentStateName } from '../raster/palette';

const stateOf: Partial<Record<EventType, AgentStateName>> = {
  [EventType.NEW_PATH]: 'settled',
  [EventType.REPLANNED]: 'replanned',
  [EventType.IMPROVED]: 'improved',
  [EventType.INVALIDATED]: 'invalidated',
  [EventType.UNREACHABLE]: 'unreachable',
  [EventType.PARTIAL]: 'partial',
  [EventType.START_BLOCKED]: 'blocked',
};

// A path that begins at the nearest free place is that of an agent that stands in an obstacle.
export function stateOfVerdict(type: EventType | undefined, status?: PathStatus): AgentStateName {
  if (status === PathStatus.START_BLOCKED) return 'blocked';
  return (type !== undefined && stateOf[type]) || 'none';
}

// Tells the verdicts of an agent apart, also when its list is read again and in an address.
export function keyOf(event: PathEvent): string {
  return [event.revision, event.type, event.pathVersion, event.goalGeneration].join('-');
}

export function stateNumber(name: AgentStateName): number {
  return agentStates.indexOf(name);
}

export function nameOf(type: EventType): string {
  return EventType[type] ?? 'UNSPECIFIED';
}

export function reasonOf(event: PathEvent): string {
  return event.reason === EventReason.UNSPECIFIED ? '' : (EventReason[event.reason] ?? '');
}

export function statusOf(status: PathStatus): string {
  return PathStatus[status] ?? '';
}

export const stateLabels: Record<AgentStateName, string> = {
  none: 'No verdict yet',
  settled: 'On its first path',
  replanned: 'Replanned',
  improved: 'Improved',
  invalidated: 'Path broken',
  unreachable: 'No way to a goal',
  partial: 'Partial path',
  blocked: 'Stands in an obstacle',
};
