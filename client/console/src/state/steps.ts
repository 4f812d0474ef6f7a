// The steps of a profile: which neighbours of a cell it goes to, and whether it cuts corners. They belong to the profile, so other steps
// need another profile.
import { create, toJsonString } from '@bufbuild/protobuf';
import { CornerRule, Topology } from '../../gen/repath/v1/common_pb';
import { ProfileSchema, type Profile } from '../../gen/repath/v1/profile_pb';

export interface Steps {
  topology: Topology;
  cornerRule: CornerRule;
}

export function stepsOf({ topology, cornerRule }: Profile): Steps {
  const cuts = topology === Topology.TOPOLOGY_8 && cornerRule === CornerRule.ONE;
  return { topology, cornerRule: cuts ? CornerRule.ONE : CornerRule.NONE };
}

export function profileNamed(profiles: readonly Profile[], name: string): Profile {
  return profiles.find((profile) => profile.name === (name || 'default')) ?? create(ProfileSchema, { name });
}

// The profile with its name and its steps left out: what else it is able to do.
function rest(profile: Profile): string {
  return toJsonString(ProfileSchema, { ...profile, name: '', topology: Topology.TOPOLOGY_UNSPECIFIED, cornerRule: CornerRule.UNSPECIFIED });
}

const names: Partial<Record<Topology, string>> = { [Topology.TOPOLOGY_4]: '4', [Topology.TOPOLOGY_8]: '8' };

// The profile that equals one of the world's apart from its steps: one that the world has, or else one that can be added.
export function withSteps(profiles: readonly Profile[], of: Profile, steps: Steps): { profile: Profile; isNew: boolean } {
  const same = ({ topology, cornerRule }: Steps) => topology === steps.topology && cornerRule === steps.cornerRule;
  const known = profiles.find((profile) => same(stepsOf(profile)) && rest(profile) === rest(of));
  if (known) return { profile: known, isNew: false };
  const base = `${of.name}-${names[steps.topology] ?? 'hex'}${steps.cornerRule === CornerRule.ONE ? '-corners' : ''}`.slice(0, 60);
  let name = base;
  for (let n = 2; profiles.some((profile) => profile.name === name); ++n) name = `${base}-${n}`;
  return { profile: { ...of, ...steps, name }, isNew: true };
}
