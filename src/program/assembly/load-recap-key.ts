import { createHash } from 'node:crypto';
import type { PeopleStore } from '../../customers/people/people-store.ts';
import { storedSecret } from '../../customers/people/stored-secret.ts';

/** Returns the key that seals compactions. All nodes have the same, and it outlives restarts. */
export async function loadRecapKey(people: PeopleStore): Promise<Uint8Array> {
  const secret = await storedSecret(people, 'recaps');
  return createHash('sha256').update(secret).digest();
}
