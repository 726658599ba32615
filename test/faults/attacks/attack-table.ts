import { answerAttacks } from './answer-attacks.ts';
import type { Attack } from './attack.ts';
import { connectionAttacks } from './connection-attacks.ts';
import { countAttacks } from './count-attacks.ts';
import { memberAttacks } from './member-attacks.ts';
import { pageAttacks } from './page-attacks.ts';
import { readAttacks } from './read-attacks.ts';
import { reloadAttacks } from './reload-attacks.ts';
import { shapeAttacks } from './shape-attacks.ts';
import { shareAttacks } from './share-attacks.ts';
import { storageAttacks } from './storage-attacks.ts';
import { uploadAttacks } from './upload-attacks.ts';

/** Every attack, in the order in which they run. */
export const attacks: readonly Attack[] = [
  ...readAttacks,
  ...storageAttacks,
  ...memberAttacks,
  ...countAttacks,
  ...connectionAttacks,
  ...uploadAttacks,
  ...shareAttacks,
  ...answerAttacks,
  ...shapeAttacks,
  ...pageAttacks,
  ...reloadAttacks,
];

/** Returns the attack with this name. */
export function attackNamed(name: string): Attack {
  const found = attacks.find((attack) => attack.name === name);
  if (!found) throw new Error(`no attack is named ${name}`);
  return found;
}
