import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import { hasEnded } from './key-state.ts';

/** The name of the key that the playground's requests are charged to. */
const PLAYGROUND = 'Playground';

type KeyParts = { accounts: Pick<Accounts, 'listKeys' | 'createKey' | 'revokeKey'>; clock: Clock };

/**
 * Finds the playground's key of an organization, or undefined. Of several, the oldest that is valid counts.
 */
export async function findPlaygroundKey(
  { accounts, clock }: KeyParts,
  accountId: string,
): Promise<ApiKey | Refusal | undefined> {
  const keys = await accounts.listKeys(accountId);
  if (keys instanceof Refusal) return keys;
  const now = clock.now();
  return keys.find((key) => key.name === PLAYGROUND && !hasEnded(key, now));
}

/** Returns the playground's key, which is created on first use. Nobody gets to know its secret. */
export async function playgroundKey(
  parts: KeyParts,
  accountId: string,
  actor: string,
): Promise<ApiKey | Refusal> {
  const key = await findPlaygroundKey(parts, accountId);
  if (key) return key;
  const created = await parts.accounts.createKey(accountId, { name: PLAYGROUND }, actor);
  if (created instanceof Refusal) return created;
  const oldest = await findPlaygroundKey(parts, accountId);
  if (!oldest || oldest instanceof Refusal || oldest.id === created.apiKey.id) return created.apiKey;
  await parts.accounts.revokeKey(created.apiKey.id, actor); // another request was first
  return oldest;
}
