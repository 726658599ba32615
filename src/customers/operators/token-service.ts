import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { newId, randomText } from '../../base/lib/ids.ts';
import { isSameSecret } from '../../base/lib/is-same-secret.ts';
import type { AuditEntry } from '../../money/accounts/audit.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import { saveWithRetry } from '../../money/accounts/save-with-retry.ts';
import { secretEndsAt } from '../../money/accounts/secret-ends-at.ts';
import type { AdminRole, AdminToken, Operator } from './admin-token.ts';
import type { TokenStore } from './token-store.ts';

/** The holder of the first token, which the environment or the data directory has. */
const FIRST: Operator = { name: 'admin', role: 'owner' };

/** Actors of the audit log that are not named tokens. */
// biome-ignore format: a line for each group
const RESERVED: readonly string[] = [
  FIRST.name,
  'bootstrap', 'command-line', 'first-start', 'gateway', 'signal', 'stripe', 'unknown',
];

const PREFIX = 'tga_';
const RANDOM_LENGTH = 43;
const HINT_LENGTH = PREFIX.length + 6;

export type TokenServiceParts = {
  store: TokenStore;
  clock: Clock;
  /** The SHA-256 of the first token. Several nodes can share the token, and not all of them know it. */
  firstTokenHash: string;
};
export type NewToken = { name: string; role: AdminRole; expiresAt: number | null };
/** The only time that a token's secret is known. */
export type TokenWithSecret = { token: AdminToken; secret: string };
type TokenUpdate = Pick<AuditEntry, 'actor' | 'action'> & {
  change: (token: AdminToken) => AdminToken | Refusal;
};

/** Creates, rotates and revokes admin tokens, and identifies their holders. */
export class TokenService {
  readonly #parts: TokenServiceParts;

  constructor(parts: TokenServiceParts) {
    if (parts.firstTokenHash === '') throw new Error('the hash of the admin token must not be empty');
    this.#parts = parts;
  }

  /** Returns the holder of a token. The first token works without the store. */
  async identify(secret: string): Promise<Operator | Refusal> {
    const { store, clock, firstTokenHash } = this.#parts;
    const hash = hashKey(secret);
    if (isSameSecret(hash, firstTokenHash)) return FIRST;
    const token = await store.findTokenByHash(hash);
    if (!token) return new Refusal('invalid_api_key', { message: 'The admin token is not valid.' });
    if (token.revokedAt !== null) return ended('is revoked');
    const now = clock.now();
    if (now < secretEndsAt(token, hash)) return token;
    return ended(isExpired(token, now) ? 'has expired' : 'was replaced by a new one');
  }

  async create({ name, role, expiresAt }: NewToken, actor: string): Promise<TokenWithSecret | Refusal> {
    const { store, clock } = this.#parts;
    const now = clock.now();
    if (RESERVED.includes(name.toLowerCase())) return nameReserved(name);
    if (expiresAt !== null && expiresAt <= now) return notInTheFuture();
    const { secret, ...stored } = newSecret();
    const token: AdminToken = {
      id: newId('tok_'),
      name,
      role,
      ...stored,
      previous: null,
      createdAt: now,
      expiresAt,
      revokedAt: null,
      version: 1,
    };
    const audit = auditEntry(now, { actor, action: 'token-create', before: null, after: token });
    return (await store.createToken(token, audit)) === 'conflict' ? nameTaken(name) : { token, secret };
  }

  list(): Promise<AdminToken[]> {
    return this.#parts.store.listTokens();
  }

  /** Gives the token a new secret. The previous secret stays valid for `overlapMs`. */
  async rotate(id: string, overlapMs: number, actor: string): Promise<TokenWithSecret | Refusal> {
    const { secret, ...stored } = newSecret();
    const token = await this.#update(id, {
      action: 'token-rotate',
      actor,
      change: (before) => {
        const now = this.#parts.clock.now();
        if (before.revokedAt !== null) return conflict('This admin token is revoked. Create a new one.');
        if (isExpired(before, now)) return conflict('This admin token has expired. Create a new one.');
        return { ...before, ...stored, previous: { hash: before.hash, endsAt: now + overlapMs } };
      },
    });
    return token instanceof Refusal ? token : { token, secret };
  }

  revoke(id: string, actor: string): Promise<AdminToken | Refusal> {
    return this.#update(id, {
      action: 'token-revoke',
      actor,
      change: (token) =>
        token.revokedAt === null ? { ...token, revokedAt: this.#parts.clock.now() } : token,
    });
  }

  #update(id: string, { action, actor, change }: TokenUpdate): Promise<AdminToken | Refusal> {
    const { store, clock } = this.#parts;
    return saveWithRetry<AdminToken>({
      noun: 'admin token',
      read: () => store.findToken(id),
      change,
      save: (after, before) =>
        store.saveToken(after, auditEntry(clock.now(), { actor, action, before, after })),
    });
  }
}

function newSecret(): { secret: string; hash: string; hint: string } {
  const secret = PREFIX + randomText(RANDOM_LENGTH);
  return { secret, hash: hashKey(secret), hint: secret.slice(0, HINT_LENGTH) };
}

const isExpired = ({ expiresAt }: AdminToken, now: number): boolean => expiresAt !== null && expiresAt <= now;

const ended = (how: string): Refusal =>
  new Refusal('revoked_api_key', { message: `This admin token ${how}.` });

const conflict = (message: string): Refusal => new Refusal('conflict', { message });

const nameTaken = (name: string): Refusal =>
  new Refusal('conflict', { message: `An admin token with the name '${name}' exists.`, param: 'name' });

const nameReserved = (name: string): Refusal =>
  new Refusal('invalid_request', {
    message: `name must not be '${name}': the audit log uses it for another actor.`,
    param: 'name',
  });

const notInTheFuture = (): Refusal =>
  new Refusal('invalid_request', { message: 'expires_at must be in the future.', param: 'expires_at' });

type TokenChange = Pick<AuditEntry, 'actor' | 'action'> & { before: AdminToken | null; after: AdminToken };

const auditEntry = (at: number, { actor, action, before, after }: TokenChange): AuditEntry => ({
  at,
  actor,
  action,
  target: after.id,
  before: before && audited(before),
  after: audited(after),
});

/** Removes the hashes, since readers of the audit log must not see them. */
const audited = ({ hash: _hash, version: _version, previous, ...token }: AdminToken) => ({
  ...token,
  ...(previous && { previousSecretEndsAt: previous.endsAt }),
});
