import { Refusal } from '../../base/errors/refusal.ts';
import { objectOf, textOf } from '../../base/json/read-json.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { Operator } from '../operators/admin-token.ts';
import { auditOf } from './audit-of.ts';
import { type AuthCaller, withoutSession } from './auth-caller.ts';
import { sessionCookieName } from './auth-cookies.ts';
import type { AuthLibrary } from './auth-library.ts';
import { type AuthAnswer, type AuthCall, callAuth } from './call-auth.ts';
import type { ChangeNotices } from './change-notices.ts';
import { type Invitations, invitationGone } from './invitations.ts';
import type { Memberships } from './memberships.ts';
import type { PeopleStore, PeopleWrite } from './people-store.ts';
import { matching } from './people-tests.ts';
import { createPerson, findPerson, findVerifiedPerson, type Person } from './person.ts';
import { withoutPassword, writesForPassword, writesForRole, writesForVerified } from './person-writes.ts';
import { refuseCommonPassword } from './refuse-common-password.ts';
import { sweepPeople } from './sweep-people.ts';
import { withoutLinks } from './without-links.ts';

export type Credentials = { email: string; password: string };
export type NewPerson = Credentials & { name: string };

/** The outcome of a sign-in. With the status `two_factor`, it also needs a code. */
export type SignedIn = { status: 'signed_in' | 'two_factor'; email: string; cookies: string[] };

export type PeopleServiceParts = {
  store: PeopleStore;
  library: AuthLibrary;
  accounts: Accounts;
  memberships: Memberships;
  invitations: Invitations;
  notices: ChangeNotices;
  now(): number;
};

/** Signs people in and out. */
export class PeopleService {
  readonly #parts: PeopleServiceParts;

  constructor(parts: PeopleServiceParts) {
    this.#parts = parts;
  }

  /** Reports whether a person has confirmed the address. */
  async isKnown(email: string): Promise<boolean> {
    return (await findVerifiedPerson(this.#parts.store, email)) !== undefined;
  }

  async signIn(body: Credentials, caller: AuthCaller): Promise<SignedIn | Refusal> {
    const answer = signedIn(
      caller,
      await this.#call(caller, (api, options) => api.signInEmail({ ...options, body })),
    );
    const { store, now } = this.#parts;
    if (!(answer instanceof Refusal)) await sweepPeople(store, now());
    return answer;
  }

  async enterCode({ code, kind }: { code: string; kind: 'totp' | 'recovery' }, caller: AuthCaller) {
    return signedIn(
      caller,
      await this.#call(withoutSession(caller), (api, options) =>
        kind === 'totp'
          ? api.verifyTOTP({ ...options, body: { code } })
          : api.verifyBackupCode({ ...options, body: { code } }),
      ),
    );
  }

  async signOut(caller: AuthCaller): Promise<string[] | Refusal> {
    const answer = await this.#call(caller, (api, options) => api.signOut(options));
    return answer instanceof Refusal ? answer : answer.cookies;
  }

  /** Makes the person of an invitation, whose link shows that the address is theirs. */
  async signUpInvited(
    token: string,
    { email, name, password }: NewPerson,
    caller: AuthCaller,
  ): Promise<SignedIn | Refusal> {
    const { store, library, invitations } = this.#parts;
    const common = refuseCommonPassword(password);
    if (common) return common;
    const invitation = await invitations.findByToken(token);
    if (!invitation) return invitationGone();
    if (invitation.email !== email.toLowerCase()) return otherAddress(invitation.email);
    if (await findVerifiedPerson(store, email)) return signInFirst();
    const now = this.#parts.now();
    const hash = await library.hashPassword(password, caller.origin);
    const person = createPerson({ email, name, isVerified: true }, now);
    const created = await store.changePeople({
      writes: [...writesForVerified(person), ...writesForPassword(person.id, { hash, now })],
      audit: [auditOf({ at: now, actor: person.email, action: 'person-create', target: person.id })],
    });
    if (created === 'conflict') return changedMeanwhile();
    const accepted = await invitations.accept(token, person);
    return accepted instanceof Refusal ? accepted : this.signIn({ email, password }, caller);
  }

  /**
   * Signs in the holder of an admin token, whose person becomes an operator. A token with the role `owner`
   * also admits an operator who has lost the password or the second factor: both are replaced, and the
   * person's other sessions end.
   */
  async signInWithToken(
    holder: Operator,
    { email, name, password }: NewPerson,
    caller: AuthCaller,
  ): Promise<SignedIn | Refusal> {
    const { store, library, notices } = this.#parts;
    const common = refuseCommonPassword(password);
    if (common) return common;
    const isFirst = (await store.countPeople('operator_role')) === 0;
    if (!isFirst && holder.role !== 'owner') return onlyOwners();
    const existingPerson = await findVerifiedPerson(store, email);
    if (existingPerson && holder.role !== 'owner') return onlyOwners();
    const now = this.#parts.now();
    const hash = await library.hashPassword(password, caller.origin);
    const person = existingPerson ?? createPerson({ email, name, isVerified: true }, now);
    const writes: PeopleWrite[] = [
      ...(existingPerson ? writesForRecovery(existingPerson.id, now) : writesForVerified(person)),
      ...writesForPassword(person.id, { hash, now }),
      ...writesForRole(person.id, { role: holder.role, now }),
    ];
    const audit = auditOf({
      at: now,
      actor: holder.name,
      action: existingPerson ? 'operator-recover' : 'operator-create',
      target: person.id,
      after: { email: person.email, role: holder.role },
    });
    const outcome = await store.changePeople({ writes, audit: [audit], lock: 'operators' });
    if (outcome === 'conflict') return changedMeanwhile();
    if (existingPerson) notices.report([person.email], 'password');
    await this.#ownFirstAccount(person);
    return this.signIn({ email, password }, caller);
  }

  /** Gives the first operator the first account, unless the account has a member already. */
  async #ownFirstAccount({ id }: Person): Promise<void> {
    const { store, accounts, memberships } = this.#parts;
    const [account] = (await accounts.list({ limit: 1 })).items;
    const person = await findPerson(store, id);
    if (!account || !person) return;
    const members = await store.countPeople('membership', matching({ account_id: account.id }));
    if (members === 0) await memberships.add(account.id, person, 'owner', person.email);
  }

  #call(caller: AuthCaller, call: AuthCall): Promise<AuthAnswer | Refusal> {
    return callAuth(this.#parts.library, caller, call);
  }
}

function signedIn({ origin }: AuthCaller, answer: AuthAnswer | Refusal): SignedIn | Refusal {
  if (answer instanceof Refusal) return answer;
  const { body, cookies } = answer;
  const email = textOf(objectOf(body.user)['email']) ?? '';
  if (body.twoFactorRedirect !== true) return { status: 'signed_in', email, cookies };
  // The library removes the session's cookie. The browser keeps its session until the code is right.
  const session = `${sessionCookieName(origin.isSecure)}=`;
  return { status: 'two_factor', email, cookies: cookies.filter((cookie) => !cookie.startsWith(session)) };
}

const onlyOwners = (): Refusal =>
  new Refusal('permission_denied', {
    message: 'Only an admin token with the role `owner` can make another operator or change a person.',
  });

const changedMeanwhile = (): Refusal =>
  new Refusal('conflict', { message: 'Somebody else changed this person. Try again.' });

const otherAddress = (email: string): Refusal =>
  new Refusal('invalid_request', { message: `The invitation is for ${email}.`, param: 'email' });

const signInFirst = (): Refusal =>
  new Refusal('conflict', {
    message: 'This address has a person already. Sign in to accept the invitation.',
  });

/**
 * Ends everything that a person could sign in with, except sign-ins at other providers. The address counts as
 * verified.
 */
const writesForRecovery = (id: string, now: number): PeopleWrite[] => [
  { kind: 'delete', table: 'person_session', where: matching({ person_id: id }) },
  { kind: 'delete', table: 'second_factor', where: matching({ person_id: id }) },
  withoutPassword(id),
  ...withoutLinks(id),
  {
    kind: 'update',
    table: 'person',
    where: matching({ id }),
    set: { two_factor_enabled: false, email_verified: true, updated_at: now },
  },
];
