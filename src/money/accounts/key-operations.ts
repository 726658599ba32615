import { invalidParam } from '../../base/errors/invalid-param.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { newId } from '../../base/lib/ids.ts';
import type { Accounts, NewKey } from './accounts.ts';
import type { ApiKey } from './api-key.ts';
import { auditOfKey } from './audit-of-key.ts';
import { limitReached } from './limit-reached.ts';
import { newSecret } from './new-secret.ts';
import type { OperationParts } from './operation-parts.ts';
import { refuseClosed, refuseClosedAccount } from './refuse-closed-account.ts';
import { refuseRevokedKey } from './refuse-ended-key.ts';
import { refuseNonMember } from './refuse-non-member.ts';
import { resolveModelIds } from './resolve-model-ids.ts';
import { secretOperations } from './secret-operations.ts';
import { updateKeyOf } from './update-key.ts';

type KeyOperations = Pick<
  Accounts,
  'createKey' | 'findKey' | 'listKeys' | 'changeKey' | 'rotateKey' | 'renewKey' | 'revokeKey'
>;

/** Creates the operations on the keys of accounts. */
export function keyOperations(parts: OperationParts): KeyOperations {
  const { store, clock, names, resolveModelId, maxKeys, isMember, onKeyChanged } = parts;
  const update = updateKeyOf(parts);
  return {
    async createKey(accountId, wanted, actor) {
      const account = await store.findAccount(accountId);
      if (account === undefined) return noSuchAccount();
      if (account.status === 'closed') return refuseClosed();
      const allowedModels = resolveModelIds(wanted.allowedModels ?? null, resolveModelId);
      if (allowedModels instanceof Refusal) return allowedModels;
      const past = refusePast(wanted.expiresAt, clock.now());
      if (past) return past;
      const nonMember = await refuseNonMember(isMember, { accountId, personId: wanted.personId });
      if (nonMember) return nonMember;
      const { secret, stored } = newSecret(names().keyPrefix);
      const apiKey = { ...newKey({ ...wanted, allowedModels }, clock.now()), accountId, ...stored };
      const audit = auditOfKey(apiKey.createdAt, { actor, action: 'key-create', after: apiKey });
      const bound = maxKeys && { limit: maxKeys(), now: apiKey.createdAt };
      if ((await store.createKey(apiKey, audit, bound)) === 'full')
        return limitReached('API keys', bound?.limit ?? 0);
      // A cache may have looked up the hash before the key existed, and may remember it as unknown.
      onKeyChanged(apiKey);
      return { apiKey, secret };
    },

    findKey: (id) => store.findKey(id),

    async listKeys(accountId) {
      if ((await store.findAccount(accountId)) === undefined) return noSuchAccount();
      return await store.listKeys(accountId);
    },

    async changeKey(id, change, actor) {
      const allowedModels = resolveModelIds(change.allowedModels ?? null, resolveModelId);
      if (allowedModels instanceof Refusal) return allowedModels;
      const past = refusePast(change.expiresAt, clock.now());
      if (past) return past;
      const closed = await refuseClosedAccount(store, id);
      if (closed) return closed;
      const currentKey = change.personId ? await store.findKey(id) : undefined;
      const nonMember =
        currentKey &&
        (await refuseNonMember(isMember, { accountId: currentKey.accountId, personId: change.personId }));
      if (nonMember) return nonMember;
      const resolved = change.allowedModels === undefined ? change : { ...change, allowedModels };
      return await update(id, {
        action: 'key-change',
        actor,
        change: (key) => refuseRevokedKey(key) ?? { ...key, ...resolved },
      });
    },

    ...secretOperations(parts, update),

    revokeKey: (id, actor) =>
      update(id, {
        action: 'key-revoke',
        actor,
        change: (key) => (key.revokedAt === null ? { ...key, revokedAt: clock.now() } : key),
      }),
  };
}

const newKey = (wanted: NewKey, now: number): Omit<ApiKey, 'accountId' | 'hash' | 'hint'> => ({
  id: newId('key_'),
  name: wanted.name ?? null,
  payg: wanted.payg ?? false,
  monthlyCapUsd: wanted.monthlyCapUsd ?? null,
  allowedModels: wanted.allowedModels ?? null,
  limits: wanted.limits ?? null,
  previous: null,
  personId: wanted.personId ?? null,
  tags: wanted.tags ?? null,
  retries: wanted.retries ?? 'none',
  resumable: wanted.resumable ?? false,
  createdAt: now,
  expiresAt: wanted.expiresAt ?? null,
  revokedAt: null,
  version: 1,
});

const refusePast = (expiresAt: number | null | undefined, now: number): Refusal | undefined =>
  typeof expiresAt === 'number' && expiresAt <= now
    ? invalidParam('expires_at', 'must be in the future.')
    : undefined;

const noSuchAccount = (): Refusal => new Refusal('not_found', { message: 'There is no such account.' });
