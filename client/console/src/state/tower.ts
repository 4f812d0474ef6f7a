// A tower whose places are looked for, and its form in the address.
export const towerSideMost = 64;
export const teamMost = 31;

export interface TowerSize {
  width: number; // In cells, as is the height.
  height: number;
}

// Its ground must be free for walkers of this team and this profile.
export interface Tower extends TowerSize {
  team: number;
  profile: string;
}

export const plain: Tower = { width: 2, height: 2, team: 0, profile: 'default' };

// Such as '2x3', or '2x3:1:wagons' with team and profile.
export function printTower({ width, height, team, profile }: Tower): string {
  const isPlain = team === plain.team && profile === plain.profile;
  return `${width}x${height}${isPlain ? '' : `:${team}:${profile}`}`;
}

// Returns undefined if the text names no tower that the server would take.
export function parseTower(text: string): Tower | undefined {
  const found = /^(\d{1,2})x(\d{1,2})(?::(\d{1,2}):([\w.-]{1,64}))?$/.exec(text);
  if (!found) return undefined;
  const [width, height, team] = [Number(found[1]), Number(found[2]), Number(found[3] ?? plain.team)];
  const fits = [width, height].every((side) => side >= 1 && side <= towerSideMost) && team <= teamMost;
  return fits ? { width, height, team, profile: found[4] ?? plain.profile } : undefined;
}
