// Commands for a terminal that do what the page does: with `repath`, or with curl by the Connect protocol.
import { create, toJsonString, type DescMessage, type DescMethodUnary, type MessageInitShape } from '@bufbuild/protobuf';
import type { Agent } from '../../gen/repath/v1/agent_pb';
import { ChangeBatchSchema } from '../../gen/repath/v1/changes_pb';
import type { Location } from '../../gen/repath/v1/common_pb';
import { hasToken } from '../wire/rpc';
import type { BatchInit } from './draft';

export function quoted(text: string): string {
  return /^[\w./:,=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

export function curl<I extends DescMessage, O extends DescMessage>(method: DescMethodUnary<I, O>, input: MessageInitShape<I>): string {
  const body = toJsonString(method.input, create(method.input, input));
  const token = hasToken() ? ` -H "Authorization: Bearer $REPATH_TOKEN"` : '';
  const address = `${location.origin}/${method.parent.typeName}/${method.name}`;
  return `curl -H 'Content-Type: application/json'${token} -d ${quoted(body)} ${address}`;
}

export function applyCommand(world: string, batch: BatchInit): string {
  const json = toJsonString(ChangeBatchSchema, create(ChangeBatchSchema, batch));
  return `repath world apply ${quoted(world)} --file /dev/stdin <<< ${quoted(json)}`;
}

// The command that sets an agent as it is. The fields confirm, stands and goal_generation have no option.
export function agentCommand(world: string, agent: Agent): string {
  const parts = [
    `repath agent add ${quoted(world)} ${agent.id} --from ${placeText(agent.position)}`,
    ...agent.goals.map((goal) => `--to ${placeText(goal)}`),
    agent.goalRadius ? `--radius ${agent.goalRadius}` : '',
    agent.profile && agent.profile !== 'default' ? `--profile ${quoted(agent.profile)}` : '',
    agent.team ? `--team ${agent.team}` : '',
    agent.priority ? `--priority ${agent.priority}` : '',
    agent.maxStalenessMs ? `--max-staleness-ms ${agent.maxStalenessMs}` : '',
    agent.minImprovementRatio ? `--min-improvement ${agent.minImprovementRatio}` : '',
    agent.allowPartial ? '--partial' : '',
    agent.snapStart ? '--snap' : '',
    agent.curves ? '--curves' : '',
    agent.crowd ? `--crowd-penalty ${agent.crowd.penalty} --crowd-radius ${agent.crowd.radius} --crowd-detour ${agent.crowd.maxDetour}` : '',
  ];
  return parts.filter(Boolean).join(' ');
}

// A place as the options --from and --to take it.
export function placeText(place: Location | { place: { case?: string; value?: unknown } } | undefined): string {
  const value = place?.place.value as { x: number; y: number; z?: number } | undefined;
  if (!value) return '?';
  return place?.place.case === 'cell' ? `${value.x},${value.y}` : `${+value.x.toFixed(3)},${+value.y.toFixed(3)},${+(value.z ?? 0).toFixed(3)}`;
}
