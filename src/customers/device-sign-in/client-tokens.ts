import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { newId, randomText } from '../../base/lib/ids.ts';
import type { AccountStore } from '../../money/accounts/account-store.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { AuditEntry } from '../../money/accounts/audit.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import { auditOf } from '../people/audit-of.ts';
import { membersLock } from '../people/members-lock.ts';
import type { PeopleStore, PeopleWrite } from '../people/people-store.ts';
import type { RowOf } from '../people/people-tables.ts';
import { isOneOf, matching } from '../people/people-tests.ts';
import { findPerson } from '../people/person.ts';
import { makesKeys, memberRoles } from '../people/visitor.ts';
import { type ClientGrant, type ClientTimes, endWithSignIn } from './client-grant.ts';
import { GrantRefusal } from './grant-refusal.ts';

export type ClientTokensParts = {
  store: PeopleStore;
  accounts: Accounts;
  keys: AccountStore;
  clock: Clock;
  /** Drops the copies of an account's keys. */
  forgetAccount(accountId: string): void;
};

export type ClientToken = RowOf<'client_token'>;

/** The owner of a token: its key, and the person who belongs to an organization. */
export type TokenOwner = Pick<ClientToken, 'key_id' | 'account_id' | 'person_id'>;

/** 43 characters out of 62 hold 256 bits. */
export const SECRET_LENGTH = 43;
/** A client whose refresh was cut off can still use its key for this long. */
const OVERLAP_MS = 60_000;
/** The audit log names nobody where a token was used twice. */
const NOBODY = 'unknown';

/**
 * Refresh tokens of clients. Each is used once and renews its key. A second use shows that somebody else has
 * it, and revokes the key.
 */
export class ClientTokens {
  readonly #parts: ClientTokensParts;

  constructor(parts: ClientTokensParts) {
    this.#parts = parts;
  }

  /** Makes a token. The write adds it if the person can still make keys of the organization. */
  make(owner: TokenOwner, { keyMs, refreshMs }: ClientTimes): { token: string; writes: PeopleWrite[] } {
    const token = randomText(SECRET_LENGTH);
    const now = this.#parts.clock.now();
    const row = {
      ...owner,
      id: newId('ctk_'),
      hash: hashKey(token),
      used_at: null,
      created_at: now,
      expires_at: now + refreshMs,
      // A key without a row could not be found when its person leaves.
      kept_until: now + Math.max(keyMs, refreshMs),
    };
    return { token, writes: [expectKeyMaker(owner), { kind: 'insert', table: 'client_token', row }] };
  }

  /** Renews the key of a token. */
  async refresh(token: string, times: ClientTimes): Promise<ClientGrant | GrantRefusal> {
    const { store, accounts, keys, clock } = this.#parts;
    const row = await this.#find(token);
    if (!row) return gone();
    if (row.used_at !== null) return this.#reused(row);
    const now = clock.now();
    if (row.expires_at <= now) return gone();
    const { key_id, account_id, person_id } = row;
    const [person, key] = await Promise.all([findPerson(store, person_id), keys.findKey(key_id)]);
    if (!person || !key) return gone();
    const leftMs = key.createdAt + times.signInMs - now;
    if (leftMs <= 0) return gone();
    const left = endWithSignIn(times, leftMs);
    const next = this.make({ key_id, account_id, person_id }, left);
    const unused = matching({ id: row.id, used_at: null });
    const outcome = await store.changePeople({
      writes: [
        { kind: 'update', table: 'client_token', where: unused, set: { used_at: now }, rows: 1 },
        ...next.writes,
      ],
      lock: membersLock(account_id),
    });
    // Another process has used the token meanwhile, or the person has left or become a viewer.
    if (outcome === 'conflict')
      return (await this.#find(token))?.used_at == null ? gone() : this.#reused(row);
    const until = { overlapMs: OVERLAP_MS, expiresAt: now + left.keyMs };
    const renewed = await accounts.renewKey(key_id, until, person.email);
    if (renewed instanceof Refusal) return new GrantRefusal('invalid_grant', renewed.message);
    return { secret: renewed.secret, refreshToken: next.token, email: person.email, keyMs: left.keyMs };
  }

  /**
   * Revokes the key of a refresh token, or a key that a client was given. Other texts and other keys change
   * nothing.
   */
  async revoke(token: string): Promise<void> {
    const clientToken = (await this.#find(token)) ?? (await this.#findByKey(token));
    if (!clientToken) return;
    const person = await findPerson(this.#parts.store, clientToken.person_id);
    await this.#revoke(clientToken, person?.email ?? NOBODY);
  }

  async #reused(token: ClientToken): Promise<GrantRefusal> {
    const { key_id: target, account_id } = token;
    const at = this.#parts.clock.now();
    await this.#revoke(token, NOBODY, [
      auditOf({ at, actor: NOBODY, action: 'refresh-token-reuse', target, after: { account_id } }),
    ]);
    return new GrantRefusal('invalid_grant', 'The refresh token was used before, so its key is revoked.');
  }

  async #revoke(
    { key_id, account_id }: TokenOwner,
    actor: string,
    audit: readonly AuditEntry[] = [],
  ): Promise<void> {
    const { store, clock, forgetAccount } = this.#parts;
    await store.changePeople({
      writes: [],
      revokes: { where: matching({ key_id }), at: clock.now(), actor },
      audit,
    });
    forgetAccount(account_id);
  }

  async #find(token: string): Promise<ClientToken | undefined> {
    const where = matching({ hash: hashKey(token) });
    return (await this.#parts.store.findPeople('client_token', { where }))[0];
  }

  /**
   * Finds a token by its secret, or by the secret before its latest renewal while that is valid. Nobody can
   * end a token with an older secret.
   */
  async #findByKey(secret: string): Promise<ClientToken | undefined> {
    const { store, keys, clock } = this.#parts;
    const hash = hashKey(secret);
    const key = await keys.findKeyByHash(hash);
    if (!key) return undefined;
    const isPrevious = key.previous?.hash === hash && clock.now() < key.previous.endsAt;
    if (key.hash !== hash && !isPrevious) return undefined;
    return (await store.findPeople('client_token', { where: matching({ key_id: key.id }), limit: 1 }))[0];
  }
}

const expectKeyMaker = ({ account_id, person_id }: TokenOwner): PeopleWrite => ({
  kind: 'expect',
  table: 'membership',
  where: [...matching({ account_id, person_id }), isOneOf('role', memberRoles.filter(makesKeys))],
});

const gone = (): GrantRefusal =>
  new GrantRefusal('invalid_grant', 'The refresh token is unknown or has ended. Sign in again.');
