import { Refusal } from '../../base/errors/refusal.ts';
import type { AuditEntry } from '../../money/accounts/audit.ts';
import type { AuditAction } from '../../money/accounts/audit-action.ts';
import { auditOf } from './audit-of.ts';
import type { AuthCaller } from './auth-caller.ts';
import type { AuthLibrary } from './auth-library.ts';
import { type AuthAnswer, type AuthCall, callAuth } from './call-auth.ts';
import type { ChangeNotices } from './change-notices.ts';
import { withoutEmailChange } from './email-changes.ts';
import type { PeopleStore, PeopleTest } from './people-store.ts';
import type { RowOf } from './people-tables.ts';
import { isLiveAt, matching } from './people-tests.ts';
import { findPerson, type Person } from './person.ts';
import { recordOwnChange } from './record-own-change.ts';
import { refuseCommonPassword } from './refuse-common-password.ts';
import type { Visitor } from './visitor.ts';
import { withoutLinks } from './without-links.ts';

export type ProfileServiceParts = {
  store: PeopleStore;
  library: AuthLibrary;
  notices: ChangeNotices;
  /** Returns the name of a provider of sign-ins, for people. */
  nameOf(provider: string): string;
  now(): number;
};

/** A person's way to sign in. The provider of a password is `credential`. */
export type LinkedSignIn = { id: string; provider: string; createdAt: number };
export type OpenSession = {
  id: string;
  createdAt: number;
  expiresAt: number;
  address: string | null;
  browser: string | null;
};

export type OwnProfile = { person: Person; signIns: LinkedSignIn[] };

/** Makes people's changes of their own sign-in. Every change is in the audit log. */
export class ProfileService {
  readonly #parts: ProfileServiceParts;

  constructor(parts: ProfileServiceParts) {
    this.#parts = parts;
  }

  /** Returns the person and the ways to sign in. */
  async profile({ userId }: Visitor): Promise<OwnProfile> {
    const { store } = this.#parts;
    const where = matching({ person_id: userId });
    const [person, signIns] = await Promise.all([
      findPerson(store, userId),
      store.findPeople('sign_in', { where, sort: { column: 'created_at' } }),
    ]);
    if (!person) throw new Error(`the person ${userId} of a session does not exist`);
    return { person, signIns: signIns.map(signInOf) };
  }

  async rename(visitor: Visitor, name: string): Promise<void> {
    const { store, now } = this.#parts;
    const where = matching({ id: visitor.userId });
    await store.changePeople({
      writes: [{ kind: 'update', table: 'person', where, set: { name, updated_at: now() } }],
      audit: [this.#entry(visitor, 'person-rename', { before: { name: visitor.name }, after: { name } })],
    });
  }

  /** Sends a link to a new address. The person keeps the old address until the link is used. */
  async changeEmail(
    visitor: Visitor,
    { email, password }: { email: string; password: string },
    caller: AuthCaller,
  ) {
    const refusal = await this.#confirm(password, caller);
    if (refusal) return refusal;
    const outcome = await callAuth(
      this.#parts.library,
      caller,
      (api, options) => api.changeEmail({ ...options, body: { newEmail: email } }),
      { verifiedOnly: true },
    );
    if (outcome instanceof Refusal) return outcome;
    await recordOwnChange(this.#parts, visitor, { action: 'email-change-asked', after: { email } });
    return undefined;
  }

  /** Changes the password. All other sessions end, and so do links for another password or address. */
  async changePassword(
    visitor: Visitor,
    { current_password, password }: { current_password: string; password: string },
    caller: AuthCaller,
  ): Promise<AuthAnswer | Refusal> {
    const common = refuseCommonPassword(password);
    if (common) return common;
    const body = { currentPassword: current_password, newPassword: password, revokeOtherSessions: true };
    const answer = await this.#call(caller, (api, options) => api.changePassword({ ...options, body }));
    if (answer instanceof Refusal) return answer;
    const writes = withoutLinks(visitor.userId);
    await recordOwnChange(this.#parts, visitor, { action: 'password-change', notice: 'password', writes });
    return answer;
  }

  async sessions({ userId }: Visitor): Promise<OpenSession[]> {
    const { store, now } = this.#parts;
    const sessions = await store.findPeople('person_session', {
      where: [...matching({ person_id: userId }), isLiveAt(now())],
      sort: { column: 'updated_at', descending: true },
    });
    return sessions.map(sessionOf);
  }

  /**
   * Ends one session of the person, or all but the present one. A link that would change the address ends
   * too, since one of these sessions may have asked for it.
   */
  async endSessions(visitor: Visitor, id?: string): Promise<Refusal | undefined> {
    const chosen: PeopleTest =
      id === undefined ? { column: 'id', is: 'ne', value: visitor.sessionId } : { column: 'id', value: id };
    const where = [...matching({ person_id: visitor.userId }), chosen];
    const outcome = await this.#parts.store.changePeople({
      writes: [
        { kind: 'delete', table: 'person_session', where, ...(id !== undefined && { rows: 1 }) },
        withoutEmailChange(visitor.userId),
      ],
      audit: [this.#entry(visitor, 'session-end', { before: { session: id ?? 'all others' } })],
    });
    return outcome === 'conflict'
      ? new Refusal('not_found', { message: 'This session has ended already.' })
      : undefined;
  }

  /** Removes a way to sign in. A person keeps at least one. */
  async unlink(visitor: Visitor, id: string): Promise<Refusal | undefined> {
    const { signIns } = await this.profile(visitor);
    const unwanted = signIns.find((signIn) => signIn.id === id);
    if (!unwanted) return new Refusal('not_found', { message: 'There is no such sign-in.' });
    const ofPerson = matching({ person_id: visitor.userId });
    const outcome = await this.#parts.store.changePeople({
      writes: [
        { kind: 'delete', table: 'sign_in', where: [...ofPerson, ...matching({ id })], rows: 1 },
        { kind: 'expect', table: 'sign_in', where: ofPerson },
      ],
      audit: [this.#entry(visitor, 'sign-in-unlink', { before: { provider: unwanted.provider } })],
      lock: `sign-ins ${visitor.userId}`,
    });
    if (outcome === 'conflict') return lastSignIn();
    const provider = this.#parts.nameOf(unwanted.provider);
    this.#parts.notices.report([visitor.email], 'sign-in-removed', { provider });
    return undefined;
  }

  async #confirm(password: string, caller: AuthCaller): Promise<Refusal | undefined> {
    const answer = await this.#call(caller, (api, options) =>
      api.verifyPassword({ ...options, body: { password } }),
    );
    return answer instanceof Refusal ? answer : undefined;
  }

  #entry({ email, userId }: Visitor, action: AuditAction, change: AuditedChange): AuditEntry {
    return auditOf({ at: this.#parts.now(), actor: email, action, target: userId, ...change });
  }

  #call(caller: AuthCaller, call: AuthCall): Promise<AuthAnswer | Refusal> {
    return callAuth(this.#parts.library, caller, call);
  }
}

type AuditedChange = { before?: unknown; after?: unknown };

const signInOf = ({ id, provider, created_at: createdAt }: RowOf<'sign_in'>): LinkedSignIn => ({
  id,
  provider,
  createdAt,
});

const sessionOf = (row: RowOf<'person_session'>): OpenSession => ({
  id: row.id,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  address: row.ip_address,
  browser: row.user_agent,
});

const lastSignIn = (): Refusal =>
  new Refusal('conflict', { message: 'This is the only way to sign in. Add another one first.' });
