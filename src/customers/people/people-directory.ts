import { Refusal } from '../../base/errors/refusal.ts';
import type { AdminRole } from '../operators/admin-token.ts';
import type { AuthLibrary } from './auth-library.ts';
import type { AuthOrigin, LinkKind } from './auth-origin.ts';
import type { ChangeNotices } from './change-notices.ts';
import { linkTo } from './link-post.ts';
import { linkRequestOf, type Memberships } from './memberships.ts';
import type { PeopleRow, PeopleStore, PeopleTest } from './people-store.ts';
import { auditOf, findPerson, findVerifiedPerson, type Person } from './person.ts';
import { roleOf, withoutUnverified } from './person-writes.ts';
import type { ResetLinks } from './reset-links.ts';
import type { SignUps } from './sign-ups.ts';
import type { MemberRole, PersonMembership } from './visitor.ts';

export type KnownPerson = Person & {
  operatorRole: AdminRole | null;
  memberships: PersonMembership[];
  providers: string[];
  sessions: number;
  /** The links that the person asked for and no mail could bring. */
  wantedLinks: Exclude<LinkKind, 'existing'>[];
};

export type PeopleDirectoryParts = {
  store: PeopleStore;
  library: AuthLibrary;
  memberships: Memberships;
  signUps: SignUps;
  resets: ResetLinks;
  notices: ChangeNotices;
};

export type PeoplePage = { items: KnownPerson[]; hasMore: boolean };
/** `actor` and `role` are those of the operator. */
export type ByOperator = { actor: string };

/** What operators see of people, and do for them. */
export class PeopleDirectory {
  readonly #parts: PeopleDirectoryParts;

  constructor(parts: PeopleDirectoryParts) {
    this.#parts = parts;
  }

  /** Lists people in the order of their ids. */
  async list({
    limit,
    after,
    email,
  }: {
    limit: number;
    after?: string;
    email?: string;
  }): Promise<PeoplePage> {
    const { store } = this.#parts;
    const where: PeopleTest[] = [
      ...(after === undefined ? [] : [{ column: 'id', is: 'gt' as const, value: after }]),
      ...(email === undefined ? [] : [{ column: 'email', value: email.toLowerCase() }]),
    ];
    const rows = await store.findPeople('person', { where, sort: { column: 'id' }, limit: limit + 1 });
    const people = rows.slice(0, limit) as Person[];
    return { items: await this.#known(people), hasMore: rows.length > limit };
  }

  async find(id: string): Promise<KnownPerson | Refusal> {
    const person = await findPerson(this.#parts.store, id);
    return person ? (await this.#known([person]))[0]! : nobody();
  }

  /** A removed role ends with the next request, on every node. */
  async changeOperatorRole(
    id: string,
    role: AdminRole | null,
    { actor }: ByOperator,
  ): Promise<KnownPerson | Refusal> {
    const person = await this.find(id);
    if (person instanceof Refusal || person.operatorRole === role) return person;
    const { email, operatorRole: before } = person;
    await this.#parts.store.changePeople({
      writes: roleOf(id, role),
      audit: [
        auditOf({
          actor,
          action: 'operator-change',
          target: id,
          before: { email, role: before },
          after: { email, role },
        }),
      ],
      lock: 'operators',
    });
    return this.find(id);
  }

  /** The operator vouches for the address. It is also that of the accounts that the person owns first. */
  async changeEmail(id: string, email: string, { actor }: ByOperator): Promise<Refusal | undefined> {
    const { store, memberships, notices } = this.#parts;
    const before = await this.find(id);
    if (before instanceof Refusal) return before;
    const address = email.toLowerCase();
    const taken = await findVerifiedPerson(store, address);
    if (taken && taken.id !== id) return addressTaken();
    const set = { email: address, email_verified: true, updated_at: Date.now() };
    const changed = await store.changePeople({
      writes: [
        withoutUnverified(address, id),
        { kind: 'update', table: 'person', where: [{ column: 'id', value: id }], set },
      ],
      audit: [
        auditOf({
          actor,
          action: 'person-email-change',
          target: id,
          before: { email: before.email },
          after: { email: address },
        }),
      ],
    });
    if (changed === 'conflict') return addressTaken();
    for (const { accountId } of before.memberships) await memberships.syncEmail(accountId, actor);
    if (before.email !== address)
      notices.report([before.email, address], 'address', { from: before.email, to: address });
    return undefined;
  }

  /**
   * Makes a link that the operator hands over. It is shown once and kept nowhere. A link to an operator could take that person's place, so
   * only owners make one.
   */
  async makeLink(
    id: string,
    kind: 'verification' | 'reset',
    { actor, isOwner, origin, base }: ByOperator & { isOwner: boolean; origin: AuthOrigin; base: string },
  ): Promise<string | Refusal> {
    const { store, library, signUps, resets } = this.#parts;
    const person = await this.find(id);
    if (person instanceof Refusal) return person;
    if (person.operatorRole !== null && !isOwner) return onlyOwners();
    if (kind === 'verification' && person.email_verified) return verifiedAlready();
    const { makeVerification } = await import('./make-verification.ts');
    const token =
      kind === 'reset'
        ? await resets.create(id)
        : await makeVerification(await library.at(origin), person, await signUps.onlyOne(id));
    await store.changePeople({
      writes: [{ kind: 'delete', table: 'link_request', where: linkRequestOf(kind, person.email) }],
      audit: [auditOf({ actor, action: 'link-make', target: id, after: { email: person.email, kind } })],
    });
    return linkTo(base, { kind, token });
  }

  async endSessions(id: string, { actor }: ByOperator): Promise<Refusal | undefined> {
    return this.#remove(id, 'session-end', actor, ['person_session']);
  }

  /** For a person who has lost the authenticator app and the recovery codes. */
  async removeSecondFactor(id: string, { actor }: ByOperator): Promise<Refusal | undefined> {
    return this.#remove(id, 'two-factor-remove', actor, ['second_factor', 'person_session']);
  }

  async #remove(
    id: string,
    action: string,
    actor: string,
    tables: readonly ('person_session' | 'second_factor')[],
  ): Promise<Refusal | undefined> {
    const { store } = this.#parts;
    const person = await findPerson(store, id);
    if (!person) return nobody();
    const where = [{ column: 'person_id', value: id }];
    const set = { two_factor_enabled: false, updated_at: Date.now() };
    await store.changePeople({
      writes: [
        ...tables.map((table) => ({ kind: 'delete', table, where }) as const),
        ...(tables.includes('second_factor')
          ? [{ kind: 'update', table: 'person', where: [{ column: 'id', value: id }], set } as const]
          : []),
      ],
      audit: [auditOf({ actor, action, target: id, after: { email: person.email } })],
    });
    if (tables.includes('second_factor')) this.#parts.notices.report([person.email], 'two-factor-off');
    return undefined;
  }

  /** An organization keeps an owner, so its last one cannot be removed. */
  async remove(id: string, { actor }: ByOperator): Promise<Refusal | undefined> {
    const { store, memberships } = this.#parts;
    const person = await this.find(id);
    if (person instanceof Refusal) return person;
    for (const { accountId } of person.memberships) {
      const refusal = await memberships.remove(accountId, id, actor);
      if (refusal) return refusal;
    }
    const { email, name, operatorRole } = person;
    await store.changePeople({
      writes: [{ kind: 'delete', table: 'person', where: [{ column: 'id', value: id }] }],
      audit: [auditOf({ actor, action: 'person-remove', target: id, before: { email, name, operatorRole } })],
    });
    return undefined;
  }

  async #known(people: readonly Person[]): Promise<KnownPerson[]> {
    const { store } = this.#parts;
    const ofPeople = [{ column: 'person_id', is: 'in' as const, value: people.map(({ id }) => id) }];
    const emails = [{ column: 'email', is: 'in' as const, value: people.map(({ email }) => email) }];
    const live = { column: 'expires_at', is: 'gt' as const, value: Date.now() };
    const [roles, memberships, signIns, sessions, links] = await Promise.all([
      store.findPeople('operator_role', { where: ofPeople }),
      store.findPeople('membership', { where: ofPeople, sort: { column: 'created_at' } }),
      store.findPeople('sign_in', { where: ofPeople, sort: { column: 'created_at' } }),
      store.findPeople('person_session', { where: [...ofPeople, live] }),
      store.findPeople('link_request', { where: emails }),
    ]);
    return people.map((person) => {
      const own = (rows: readonly PeopleRow[]) => rows.filter(({ person_id }) => person_id === person.id);
      return {
        ...person,
        operatorRole: (own(roles)[0]?.role as AdminRole | undefined) ?? null,
        memberships: own(memberships).map(({ account_id, role }) => ({
          accountId: account_id as string,
          role: role as MemberRole,
        })),
        providers: own(signIns).map(({ provider }) => provider as string),
        sessions: own(sessions).length,
        wantedLinks: links
          .filter(({ email }) => email === person.email)
          .map(({ kind }) => kind as Exclude<LinkKind, 'existing'>),
      };
    });
  }
}

const nobody = (): Refusal => new Refusal('not_found', { message: 'There is no such person.' });

const onlyOwners = (): Refusal =>
  new Refusal('permission_denied', { message: 'Only an owner can make a link for an operator.' });

const addressTaken = (): Refusal =>
  new Refusal('conflict', { message: 'Another person has this address.', param: 'email' });

const verifiedAlready = (): Refusal =>
  new Refusal('conflict', { message: 'The address of this person is verified already.' });
