import { Refusal } from '../../base/errors/refusal.ts';
import { newId } from '../../base/lib/ids.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { AdminRole, Operator } from '../operators/admin-token.ts';
import { type AuthAnswer, readAuthAnswer } from './auth-answer.ts';
import type { AuthCaller } from './auth-caller.ts';
import type { AuthLibrary } from './auth-library.ts';
import type { PeopleStore, PeopleWrite } from './people-store.ts';
import { auditOf, createPerson, findPersonByEmail, type Person } from './person.ts';

export type Credentials = { email: string; password: string };
export type NewPerson = Credentials & { name: string };

/** `two_factor`: the sign-in also needs a code. */
export type SignedIn = { status: 'signed_in' | 'two_factor'; cookies: string[] };

export type PeopleDeskParts = {
  store: PeopleStore;
  library: AuthLibrary;
  accounts: Accounts;
};

/** Signs people in and out. */
export class PeopleDesk {
  readonly #parts: PeopleDeskParts;

  constructor(parts: PeopleDeskParts) {
    this.#parts = parts;
  }

  async signIn(
    { email, password }: Credentials,
    { origin, headers }: AuthCaller,
  ): Promise<SignedIn | Refusal> {
    const auth = await this.#parts.library.at(origin);
    const body = { email, password };
    const answer = await readAuthAnswer(await auth.api.signInEmail({ body, headers, asResponse: true }));
    return answer instanceof Refusal ? answer : signedIn(answer);
  }

  /** The answer is the same for a known address. Its owner is told. */
  async signUp(person: NewPerson, { origin, headers }: AuthCaller): Promise<'verify' | Refusal> {
    const auth = await this.#parts.library.at(origin);
    const answer = await readAuthAnswer(
      await auth.api.signUpEmail({ body: person, headers, asResponse: true }),
    );
    return answer instanceof Refusal ? answer : 'verify';
  }

  async signOut({ origin, headers }: AuthCaller): Promise<string[] | Refusal> {
    const auth = await this.#parts.library.at(origin);
    const answer = await readAuthAnswer(await auth.api.signOut({ headers, asResponse: true }));
    return answer instanceof Refusal ? answer : answer.cookies;
  }

  /**
   * Signs in the holder of an admin token, whose person becomes an operator. A token with the role `owner` also admits an operator who
   * has lost the password or the second factor: both are replaced, and the person's other sessions end.
   */
  async signInWithToken(
    holder: Operator,
    { email, name, password }: NewPerson,
    caller: AuthCaller,
  ): Promise<SignedIn | Refusal> {
    const { store, library } = this.#parts;
    const isFirst = (await store.countPeople('operator_role')) === 0;
    if (!isFirst && holder.role !== 'owner') return onlyOwners();
    const auth = await library.at(caller.origin);
    const { hash } = (await auth.$context).password;
    const known = await findPersonByEmail(store, email);
    const person = known ?? createPerson({ email, name, isVerified: true });
    const writes: PeopleWrite[] = [
      ...(known ? recovered(known) : [{ kind: 'insert', table: 'person', row: person } as const]),
      ...passwordOf(person.id, await hash(password)),
      ...roleOf(person.id, holder.role),
    ];
    const audit = auditOf({
      ...{ actor: holder.name, action: known ? 'operator-recover' : 'operator-create', target: person.id },
      after: { email: person.email, role: holder.role },
    });
    if ((await store.changePeople({ writes, audit: [audit], lock: 'operators' })) === 'conflict')
      return changed();
    await this.#ownFirstAccount(person);
    return this.signIn({ email, password }, caller);
  }

  /** The first operator owns the first account, unless somebody is in it already. */
  async #ownFirstAccount(person: Person): Promise<void> {
    const { store, accounts } = this.#parts;
    const [account] = (await accounts.list({ limit: 1 })).items;
    if (!account) return;
    const members = await store.countPeople('membership', [{ column: 'account_id', value: account.id }]);
    if (members > 0) return;
    const row = { account_id: account.id, person_id: person.id, role: 'owner', created_at: Date.now() };
    const audit = auditOf({
      ...{ actor: person.email, action: 'member-add', target: account.id },
      after: { email: person.email, role: 'owner' },
    });
    await store.changePeople({ writes: [{ kind: 'insert', table: 'membership', row }], audit: [audit] });
    await accounts.change(account.id, { email: person.email, emailVerified: true }, person.email);
  }
}

const signedIn = ({ body, cookies }: AuthAnswer): SignedIn => ({
  status: body.twoFactorRedirect === true ? 'two_factor' : 'signed_in',
  cookies,
});

/** Ends everything that a person could sign in with. */
const recovered = ({ id }: Person): PeopleWrite[] => {
  const where = [{ column: 'person_id', value: id }];
  return [
    { kind: 'delete', table: 'person_session', where },
    { kind: 'delete', table: 'second_factor', where },
    { kind: 'delete', table: 'sign_in', where: [...where, { column: 'provider', value: 'credential' }] },
    {
      ...{ kind: 'update', table: 'person', where: [{ column: 'id', value: id }] },
      set: { two_factor_enabled: false, email_verified: true, updated_at: Date.now() },
    },
  ];
};

const passwordOf = (personId: string, password: string): PeopleWrite[] => [
  {
    ...{ kind: 'insert', table: 'sign_in' },
    row: {
      ...{ id: newId('sin_'), person_id: personId, provider: 'credential', subject: personId, password },
      ...{ created_at: Date.now(), updated_at: Date.now() },
    },
  },
];

const roleOf = (personId: string, role: AdminRole): PeopleWrite[] => [
  { kind: 'delete', table: 'operator_role', where: [{ column: 'person_id', value: personId }] },
  {
    ...{ kind: 'insert', table: 'operator_role' },
    row: { person_id: personId, role, created_at: Date.now() },
  },
];

const onlyOwners = (): Refusal =>
  new Refusal('permission_denied', {
    message: 'There is an operator already. Only an admin token with the role `owner` can make another one.',
  });

const changed = (): Refusal =>
  new Refusal('conflict', { message: 'Somebody else changed this person. Try again.' });
