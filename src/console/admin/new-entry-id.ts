import { hash } from 'node:crypto';
import { Refusal } from '../../base/errors/refusal.ts';
import { newId } from '../../base/lib/ids.ts';
import type { Exchange } from '../../edge/http/exchange.ts';

const MAX_LENGTH = 200;

/**
 * Returns the id of a new entry. An idempotency key determines the id, so repeated requests write only one
 * entry.
 */
export function newEntryId({ request }: Exchange, accountId: string): { id: string; isKeyed: boolean } {
  const key = request.headers.get('idempotency-key');
  if (key === null) return { id: newId('ent_'), isKeyed: false };
  if (key.length > 0 && key.length <= MAX_LENGTH)
    return { id: `ent_${hash('sha256', `${accountId} ${key}`, 'hex').slice(0, 40)}`, isKeyed: true };
  throw new Refusal('invalid_request', {
    param: 'Idempotency-Key',
    message: `Idempotency-Key must have 1 to ${MAX_LENGTH} characters.`,
  });
}
