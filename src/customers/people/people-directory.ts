import { Refusal } from '../../base/errors/refusal.ts';
import type { AdminRole } from '../operators/admin-token.ts';
import type { ChangeNotices } from './change-notices.ts';
import { type KnownPerson, readKnownPeople } from './known-people.ts';
import type { Memberships } from './memberships.ts';
import type { PeopleStore, PeopleTest } from './people-store.ts';
import { auditOf, findPerson, findVerifiedPerson, type Person } from './person.ts';
import { withoutUnverified, writesForRole } from './person-writes.ts';

export type PeopleDirectoryParts = {
  store: PeopleStore;
  memberships: Memberships;
  notices: ChangeNotices;
};

export type PeoplePage = { items: KnownPerson[]; hasMore: boolean };
/** `actor` is the operator's name in the audit log. */
export type ByOperator = { actor: string };

/** Shows people to operators, and makes operators' changes for them. */
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
    return { items: await readKnownPeople(store, people), hasMore: rows.length > limit };
  }

  async find(id: string): Promise<KnownPerson | Refusal> {
    const { store } = this.#parts;
    const person = await findPerson(store, id);
    return person ? (await readKnownPeople(store, [person]))[0]! : nobody();
  }

  /** Changes the role of an operator. A removed role ends with the next request, on every node. */
  async changeOperatorRole(
    id: string,
    role: AdminRole | null,
    { actor }: ByOperator,
  ): Promise<KnownPerson | Refusal> {
    const person = await this.find(id);
    if (person instanceof Refusal || person.operatorRole === role) return person;
    const { email, operatorRole: before } = person;
    await this.#parts.store.changePeople({
      writes: writesForRole(id, { role, now: Date.now() }),
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

  /**
   * Changes an address, for which the operator vouches. The accounts that the person owns first get it too.
   */
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

  async endSessions(id: string, { actor }: ByOperator): Promise<Refusal | undefined> {
    return this.#remove(id, 'session-end', actor, ['person_session']);
  }

  /** Removes the second factor of a person who has lost the authenticator app and the recovery codes. */
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
}

const nobody = (): Refusal => new Refusal('not_found', { message: 'There is no such person.' });

const addressTaken = (): Refusal =>
  new Refusal('conflict', { message: 'Another person has this address.', param: 'email' });
