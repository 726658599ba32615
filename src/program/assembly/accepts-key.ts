import type { Clock } from '../../base/lib/clock.ts';
import type { AccountStore } from '../../money/accounts/account-store.ts';
import { hashKey, isWellFormedKey } from '../../money/accounts/key-format.ts';
import { secretEndsAt } from '../../money/accounts/secret-ends-at.ts';
import type { SnapshotSource } from '../../settings/snapshot/snapshot.ts';

type KeyParts = {
  clock: Clock;
  holder: SnapshotSource;
  store: Pick<AccountStore, 'findKeyByHash'>;
};

/** Reports whether a key is well-formed, known and neither revoked nor ended. */
export async function acceptsKey(secret: string, { clock, holder, store }: KeyParts): Promise<boolean> {
  if (!isWellFormedKey(secret, holder.current.names.keyPrefix)) return false;
  const hash = hashKey(secret);
  const key = await store.findKeyByHash(hash);
  return key?.revokedAt === null && clock.now() < secretEndsAt(key, hash);
}
