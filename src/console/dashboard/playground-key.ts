import type { Clock } from '../../base/lib/clock.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import { accepted } from '../routes/accepted.ts';
import { hasEnded } from './key-state.ts';

/** The name of the key that the playground's requests are charged to. */
const PLAYGROUND = 'Playground';

type KeyParts = { accounts: Accounts; clock: Clock };

/** Finds the playground's key of an organization. Of several, the oldest that is valid counts. */
export async function findPlaygroundKey(
  { accounts, clock }: KeyParts,
  accountId: string,
): Promise<ApiKey | undefined> {
  const keys = accepted(await accounts.listKeys(accountId));
  const now = clock.now();
  return keys.find((key) => key.name === PLAYGROUND && !hasEnded(key, now));
}

/** Returns the playground's key, which is created on first use. Nobody gets to know its secret. */
export async function playgroundKey(parts: KeyParts, accountId: string, actor: string): Promise<ApiKey> {
  const existing = await findPlaygroundKey(parts, accountId);
  if (existing) return existing;
  const created = accepted(await parts.accounts.createKey(accountId, { name: PLAYGROUND }, actor)).apiKey;
  const oldest = (await findPlaygroundKey(parts, accountId)) ?? created;
  // Another request can have created one meanwhile.
  if (oldest.id !== created.id) await parts.accounts.revokeKey(created.id, actor);
  return oldest;
}
