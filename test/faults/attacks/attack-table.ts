import { answers } from './answers.ts';
import type { Attack } from './attack.ts';
import { connections } from './connections.ts';
import { counting } from './counting.ts';
import { members } from './members.ts';
import { pages } from './pages.ts';
import { reads } from './reads.ts';
import { reloads } from './reloads.ts';
import { shapes } from './shapes.ts';
import { shares } from './shares.ts';
import { storage } from './storage.ts';
import { uploads } from './uploads.ts';

/** Every attack, in the order in which they run. */
export const attacks: readonly Attack[] = [
  ...reads,
  ...storage,
  ...members,
  ...counting,
  ...connections,
  ...uploads,
  ...shares,
  ...answers,
  ...shapes,
  ...pages,
  ...reloads,
];

/** Returns the attack with this name. */
export function attackNamed(name: string): Attack {
  const found = attacks.find((attack) => attack.name === name);
  if (!found) throw new Error(`no attack is named ${name}`);
  return found;
}
