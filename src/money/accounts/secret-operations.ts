import { Refusal } from '../../base/errors/refusal.ts';
import type { Accounts, KeyWithSecret } from './accounts.ts';
import type { ApiKey, ReplacedSecret } from './api-key.ts';
import { newSecret } from './new-secret.ts';
import type { OperationParts } from './operation-parts.ts';
import { refuseClosedAccount } from './refuse-closed-account.ts';
import { refuseEndedKey, refuseRevokedKey } from './refuse-ended-key.ts';
import type { UpdateKey } from './update-key.ts';

/** Returns the operations that give a key another secret. */
export function secretOperations(
  { store, clock, names }: Pick<OperationParts, 'store' | 'clock' | 'names'>,
  update: UpdateKey,
): Pick<Accounts, 'rotateKey' | 'renewKey'> {
  /** Replaces the secret of a key. `change` returns the other fields that change. */
  const replaceSecret = async (
    id: string,
    actor: string,
    change: (key: ApiKey) => Partial<ApiKey> | Refusal,
  ): Promise<KeyWithSecret | Refusal> => {
    const closed = await refuseClosedAccount(store, id);
    if (closed) return closed;
    const { secret, stored } = newSecret(names().keyPrefix);
    const apiKey = await update(id, {
      action: 'key-rotate',
      actor,
      change: (key) => {
        const fields = change(key);
        return fields instanceof Refusal ? fields : { ...key, ...stored, ...fields };
      },
    });
    return apiKey instanceof Refusal ? apiKey : { apiKey, secret };
  };

  /** Without an overlap no time is stored, since the clocks of nodes differ by milliseconds. */
  const validFor = ({ hash }: ApiKey, overlapMs: number): ReplacedSecret | null =>
    overlapMs > 0 ? { hash, endsAt: clock.now() + overlapMs } : null;

  return {
    rotateKey: (id, overlapMs, actor) =>
      replaceSecret(
        id,
        actor,
        (key) => refuseEndedKey(key, clock.now()) ?? { previous: validFor(key, overlapMs) },
      ),

    renewKey: (id, { overlapMs, expiresAt }, actor) =>
      replaceSecret(id, actor, (key) => {
        // With the later end, an expired secret would be valid again.
        const leftMs = (key.expiresAt ?? Number.POSITIVE_INFINITY) - clock.now();
        const previous = validFor(key, Math.min(overlapMs, leftMs));
        return refuseRevokedKey(key) ?? { previous, expiresAt };
      }),
  };
}
