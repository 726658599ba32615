import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { newId, randomText } from '../../base/lib/ids.ts';
import { HOUR_MS } from '../../base/lib/units.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import { auditOf } from '../people/audit-of.ts';
import { membersLock } from '../people/members-lock.ts';
import type { PeopleStore } from '../people/people-store.ts';
import type { RowOf } from '../people/people-tables.ts';
import { isBefore, isLiveAt, matching } from '../people/people-tests.ts';
import { findPerson } from '../people/person.ts';
import type { Visitor } from '../people/visitor.ts';
import { type ClientGrant, type ClientTimes, endWithSignIn } from './client-grant.ts';
import { type ClientTokens, SECRET_LENGTH } from './client-tokens.ts';
import { GrantRefusal } from './grant-refusal.ts';
import { newUserCode, tidyUserCode } from './user-code.ts';

export const DEVICE_CODE_S = 600;
/** The least time between two questions of a client. */
export const POLL_S = 5;

export type DeviceSignInsParts = {
  store: PeopleStore;
  accounts: Accounts;
  clock: Clock;
  tokens: ClientTokens;
};

/** A client that shows a code to its user. Both codes are known only now. */
export type DeviceCodes = { deviceCode: string; userCode: string };

type DeviceSignIn = RowOf<'device_sign_in'>;

/** The decision of a person on the page. */
export type DeviceDecision = {
  userCode: string;
  accountId: string;
  isApproved: boolean;
  person: Pick<Visitor, 'userId' | 'email'>;
};

/** Codes are kept this long after their end, so that their clients learn why they end. */
const KEPT_MS = HOUR_MS;
const MAX_TRIES = 5;

/**
 * Sign-ins of clients without a browser (RFC 8628): the client shows a code, and a person approves it on a
 * page.
 */
export class DeviceSignIns {
  readonly #parts: DeviceSignInsParts;

  constructor(parts: DeviceSignInsParts) {
    this.#parts = parts;
  }

  /** Makes the codes of a client. */
  async begin(): Promise<DeviceCodes> {
    const { store, clock } = this.#parts;
    const deviceCode = randomText(SECRET_LENGTH);
    for (let tries = 1; ; tries++) {
      const userCode = newUserCode();
      const now = clock.now();
      const row = {
        id: newId('dsi_'),
        device_hash: hashKey(deviceCode),
        user_hash: hashKey(userCode),
        status: 'pending',
        created_at: now,
        expires_at: now + DEVICE_CODE_S * 1_000,
      };
      const outcome = await store.changePeople({
        writes: [
          { kind: 'delete', table: 'device_sign_in', where: [isBefore('expires_at', now - KEPT_MS)] },
          { kind: 'delete', table: 'client_token', where: [isBefore('kept_until', now)] },
          { kind: 'insert', table: 'device_sign_in', row },
        ],
      });
      if (outcome !== 'conflict') return { deviceCode, userCode };
      // Another client has this code.
      if (tries === MAX_TRIES) throw new Error('no code is free');
    }
  }

  /** Notes a person's decision. Returns false if no client waits for it. */
  async decide({ userCode, accountId, isApproved, person }: DeviceDecision): Promise<boolean> {
    const { store, clock } = this.#parts;
    const at = clock.now();
    const userHash = hashKey(tidyUserCode(userCode));
    const where = [...matching({ user_hash: userHash, status: 'pending' }), isLiveAt(at)];
    const status = isApproved ? 'approved' : 'denied';
    const { userId, email } = person;
    const set = { status, account_id: accountId, person_id: userId };
    const action = isApproved ? 'device-approve' : 'device-deny';
    const outcome = await store.changePeople({
      writes: [{ kind: 'update', table: 'device_sign_in', where, set, rows: 1 }],
      audit: [auditOf({ at, actor: email, action, target: accountId, after: { email } })],
    });
    return outcome !== 'conflict';
  }

  /** Gives a client its key, once. */
  async redeem(deviceCode: string, times: ClientTimes): Promise<ClientGrant | GrantRefusal> {
    const { store, clock } = this.#parts;
    const where = matching({ device_hash: hashKey(deviceCode) });
    const [signIn] = await store.findPeople('device_sign_in', { where });
    if (!signIn || signIn.status === 'used') return unknownCode();
    if (signIn.status === 'denied')
      return new GrantRefusal('access_denied', 'The sign-in was denied in the browser.');
    const now = clock.now();
    if (signIn.expires_at <= now) return new GrantRefusal('expired_token', 'The code has expired.');
    if (signIn.status === 'pending') return this.#wait(signIn, now);
    return this.#giveKey(signIn, endWithSignIn(times, times.signInMs));
  }

  async #wait({ id, polled_at }: DeviceSignIn, now: number): Promise<GrantRefusal> {
    const set = { polled_at: now };
    await this.#parts.store.changePeople({
      writes: [{ kind: 'update', table: 'device_sign_in', where: matching({ id }), set }],
    });
    return polled_at !== null && now - polled_at < POLL_S * 1_000
      ? new GrantRefusal('slow_down', `Ask at most every ${POLL_S} seconds.`)
      : new GrantRefusal('authorization_pending', 'The sign-in waits for its approval in the browser.');
  }

  /**
   * Gives the client of an approved sign-in a key. The key is made first, and revoked if another question was
   * faster, or the person has left or become a viewer. After a crash in between nobody knows its secret.
   */
  async #giveKey(signIn: DeviceSignIn, times: ClientTimes): Promise<ClientGrant | GrantRefusal> {
    const { store, accounts, tokens, clock } = this.#parts;
    const { account_id: accountId, person_id: personId } = signIn;
    if (accountId === null || personId === null) throw new Error('an approved sign-in names nobody');
    const person = await findPerson(store, personId);
    if (!person) return unknownCode();
    const { email } = person;
    const order = { name: `Claude Code (${email})`, personId, expiresAt: clock.now() + times.keyMs };
    const created = await accounts.createKey(accountId, order, email);
    if (created instanceof Refusal) return new GrantRefusal('access_denied', created.message);
    const owner = { key_id: created.apiKey.id, account_id: accountId, person_id: personId };
    const { token, writes } = tokens.make(owner, times);
    const approved = matching({ id: signIn.id, status: 'approved' });
    const outcome = await store.changePeople({
      writes: [
        { kind: 'update', table: 'device_sign_in', where: approved, set: { status: 'used' }, rows: 1 },
        ...writes,
      ],
      lock: membersLock(accountId),
    });
    if (outcome !== 'conflict')
      return { secret: created.secret, refreshToken: token, email, keyMs: times.keyMs };
    await accounts.revokeKey(owner.key_id, email);
    return unknownCode();
  }
}

const unknownCode = (): GrantRefusal =>
  new GrantRefusal('invalid_grant', 'The device code is unknown or was used.');
