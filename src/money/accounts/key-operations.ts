import { Refusal } from '../../base/errors/refusal.ts';
import { newId } from '../../base/lib/ids.ts';
import { refuseClosed } from './account-status.ts';
import type { Accounts, NewKey } from './accounts.ts';
import type { AccountsDependencies } from './accounts-dependencies.ts';
import type { ApiKey, ReplacedSecret } from './api-key.ts';
import { auditOfKey } from './audit-of-key.ts';
import { generateKey, hashKey, keyHint } from './key-format.ts';
import { limitReached } from './limit-reached.ts';
import { resolveModelIds } from './resolve-model-ids.ts';
import { saveWithRetry } from './save-with-retry.ts';
import { strangerRefuser } from './stranger-refuser.ts';

type KeyOperations = Pick<
  Accounts,
  'createKey' | 'findKey' | 'listKeys' | 'changeKey' | 'rotateKey' | 'renewKey' | 'revokeKey'
>;
type KeyUpdate = { action: string; actor: string; change: (key: ApiKey) => ApiKey | Refusal };

export function keyOperations(dependencies: AccountsDependencies): KeyOperations {
  const { store, clock, names, resolveModelId, maxKeys, onKeyChanged } = dependencies;
  const update = updateOf(dependencies);
  const refuseStranger = strangerRefuser(dependencies);
  return {
    async createKey(accountId, wanted, actor) {
      const account = await store.findAccount(accountId);
      if (account === undefined) return noSuchAccount();
      if (account.status === 'closed') return refuseClosed();
      const allowedModels = resolveModelIds(wanted.allowedModels ?? null, resolveModelId);
      if (allowedModels instanceof Refusal) return allowedModels;
      const past = refusePast(wanted.expiresAt, clock.now());
      if (past) return past;
      const stranger = await refuseStranger(accountId, wanted.personId);
      if (stranger) return stranger;
      const { secret, ...shown } = newSecret(names().keyPrefix);
      const apiKey = { ...newKey({ ...wanted, allowedModels }, clock.now()), accountId, ...shown };
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
      if (await isOfClosedAccount(store, id)) return refuseClosed();
      const currentKey = change.personId ? await store.findKey(id) : undefined;
      const stranger = currentKey && (await refuseStranger(currentKey.accountId, change.personId));
      if (stranger) return stranger;
      const resolved = change.allowedModels === undefined ? change : { ...change, allowedModels };
      return await update(id, {
        action: 'key-change',
        actor,
        change: (key) => (key.revokedAt === null ? { ...key, ...resolved } : alreadyRevoked()),
      });
    },

    ...secretOperations(dependencies, update),

    revokeKey: (id, actor) =>
      update(id, {
        action: 'key-revoke',
        actor,
        change: (key) => (key.revokedAt === null ? { ...key, revokedAt: clock.now() } : key),
      }),
  };
}

type Update = ReturnType<typeof updateOf>;

/** Returns the operations that give a key another secret. */
function secretOperations(
  { store, clock, names }: AccountsDependencies,
  update: Update,
): Pick<Accounts, 'rotateKey' | 'renewKey'> {
  return {
    async rotateKey(id, overlapMs, actor) {
      if (await isOfClosedAccount(store, id)) return refuseClosed();
      const { secret, ...shown } = newSecret(names().keyPrefix);
      const apiKey = await update(id, {
        action: 'key-rotate',
        actor,
        change: (key) =>
          refuseEnded(key, clock.now()) ?? { ...key, ...shown, previous: until(key, { overlapMs, clock }) },
      });
      return apiKey instanceof Refusal ? apiKey : { apiKey, secret };
    },

    async renewKey(id, { overlapMs, expiresAt }, actor) {
      if (await isOfClosedAccount(store, id)) return refuseClosed();
      const { secret, ...shown } = newSecret(names().keyPrefix);
      const apiKey = await update(id, {
        action: 'key-rotate',
        actor,
        change: (key) => {
          if (key.revokedAt !== null) return alreadyRevoked();
          // With the later end, an expired secret would be valid again.
          const leftMs = (key.expiresAt ?? Number.POSITIVE_INFINITY) - clock.now();
          const previous = until(key, { overlapMs: Math.min(overlapMs, leftMs), clock });
          return { ...key, ...shown, previous, expiresAt };
        },
      });
      return apiKey instanceof Refusal ? apiKey : { apiKey, secret };
    },
  };
}

async function isOfClosedAccount(store: AccountsDependencies['store'], keyId: string): Promise<boolean> {
  const key = await store.findKey(keyId);
  const account = key && (await store.findAccount(key.accountId));
  return account?.status === 'closed';
}

/** Returns a function that changes a key and writes the change to the audit log. */
const updateOf =
  ({ store, clock, onKeyChanged }: AccountsDependencies) =>
  async (id: string, { action, actor, change }: KeyUpdate): Promise<ApiKey | Refusal> => {
    let storedKey: ApiKey | undefined;
    const saved = await saveWithRetry<ApiKey>({
      noun: 'API key',
      read: () => store.findKey(id),
      change,
      save: (after, before) => {
        storedKey = before;
        return store.saveKey(after, auditOfKey(clock.now(), { actor, action, before, after }));
      },
    });
    if (saved instanceof Refusal) return saved;
    // A rotation drops the secret before the latest one, which can be in a cache too.
    if (storedKey) onKeyChanged(storedKey);
    onKeyChanged(saved);
    return saved;
  };

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

function newSecret(prefix: string): { secret: string; hash: string; hint: string } {
  const secret = generateKey(prefix);
  return { secret, hash: hashKey(secret), hint: keyHint(secret, prefix) };
}

/** Without an overlap no time is stored, since the clocks of nodes differ by milliseconds. */
const until = (
  { hash }: ApiKey,
  { overlapMs, clock }: { overlapMs: number } & Pick<AccountsDependencies, 'clock'>,
): ReplacedSecret | null => (overlapMs > 0 ? { hash, endsAt: clock.now() + overlapMs } : null);

const refusePast = (expiresAt: number | null | undefined, now: number): Refusal | undefined =>
  typeof expiresAt === 'number' && expiresAt <= now ? notInTheFuture() : undefined;

const notInTheFuture = (): Refusal =>
  new Refusal('invalid_request', { message: 'expires_at must be in the future.', param: 'expires_at' });

function refuseEnded({ revokedAt, expiresAt }: ApiKey, now: number): Refusal | undefined {
  if (revokedAt !== null) return alreadyRevoked();
  return expiresAt !== null && expiresAt <= now ? alreadyExpired() : undefined;
}

const alreadyExpired = (): Refusal =>
  new Refusal('conflict', { message: 'This API key has expired. Set a later `expires_at` first.' });

const noSuchAccount = (): Refusal => new Refusal('not_found', { message: 'There is no such account.' });

const alreadyRevoked = (): Refusal =>
  new Refusal('conflict', { message: 'This API key was revoked; create another one.' });
