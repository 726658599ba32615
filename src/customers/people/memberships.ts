import { Refusal } from '../../base/errors/refusal.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { AuditAction } from '../../money/accounts/audit-action.ts';
import { auditOf } from './audit-of.ts';
import { membersLock } from './members-lock.ts';
import type { KeyRevocation, PeopleStore, PeopleWrite } from './people-store.ts';
import { isOneOf, matching } from './people-tests.ts';
import { findPersonByEmail, type Person } from './person.ts';
import { type MemberRole, makesKeys } from './visitor.ts';

export type Member = Pick<Person, 'id' | 'email' | 'name'> & { role: MemberRole; joinedAt: number };

export type MembershipsParts = {
  store: PeopleStore;
  accounts: Accounts;
  /** Drops the copies of an organization's keys, since some may have been revoked. */
  forgetKeys(accountId: string): void;
  now(): number;
};

type MemberEntry = { actor: string; action: AuditAction; before: unknown; after?: unknown };

/** The members of organizations. Every change is in the audit log. */
export class Memberships {
  readonly #parts: MembershipsParts;

  constructor(parts: MembershipsParts) {
    this.#parts = parts;
  }

  /** Lists the members of an organization, the earliest first. */
  async list(accountId: string): Promise<Member[]> {
    const { store } = this.#parts;
    const memberships = await store.findPeople('membership', {
      where: matching({ account_id: accountId }),
      sort: { column: 'created_at' },
    });
    const ids = memberships.map(({ person_id }) => person_id);
    const people = await store.findPeople('person', { where: [isOneOf('id', ids)] });
    const byId = new Map(people.map((person) => [person.id, person]));
    return memberships.flatMap(({ person_id, role, created_at: joinedAt }) => {
      const person = byId.get(person_id);
      if (!person) return [];
      const { id, email, name } = person;
      return { id, email, name, role, joinedAt };
    });
  }

  /**
   * Changes the role of a member. An organization always keeps an owner. The keys of a new viewer's clients
   * are revoked, since viewers have no keys of their own.
   */
  async changeRole(
    accountId: string,
    personId: string,
    role: MemberRole,
    actor: string,
  ): Promise<Refusal | undefined> {
    const before = await this.#find(accountId, personId);
    if (!before) return noMember();
    if (before.role === role) return undefined;
    const where = matching({ account_id: accountId, person_id: personId, role: before.role });
    const write = { kind: 'update', table: 'membership', where, set: { role }, rows: 1 } as const;
    const change = { before: auditedMember(before), after: { ...auditedMember(before), role } };
    const entry: MemberEntry = { actor, action: 'member-change', ...change };
    return makesKeys(role)
      ? this.#change(accountId, write, entry)
      : this.#changeAndRevoke(accountId, personId, write, entry);
  }

  /** Removes a member, and revokes the keys of the person's clients. */
  async remove(accountId: string, personId: string, actor: string): Promise<Refusal | undefined> {
    const before = await this.#find(accountId, personId);
    if (!before) return noMember();
    const where = matching({ account_id: accountId, person_id: personId, role: before.role });
    const write = { kind: 'delete', table: 'membership', where, rows: 1 } as const;
    const entry: MemberEntry = { actor, action: 'member-remove', before: auditedMember(before) };
    return this.#changeAndRevoke(accountId, personId, write, entry);
  }

  /** Makes a person a member. Returns false if the person is one already. */
  async add(accountId: string, person: Person, role: MemberRole, actor: string): Promise<boolean> {
    const { store, now } = this.#parts;
    const at = now();
    const row = { account_id: accountId, person_id: person.id, role, created_at: at };
    const after = { email: person.email, role };
    const outcome = await store.changePeople({
      writes: [{ kind: 'insert', table: 'membership', row }],
      audit: [auditOf({ at, actor, action: 'member-add', target: accountId, after })],
      lock: membersLock(accountId),
    });
    if (outcome === 'conflict') return false;
    await this.syncEmail(accountId, actor);
    return true;
  }

  /** Copies the address of the first owner to the account. The address is verified when that person's is. */
  async syncEmail(accountId: string, actor: string): Promise<void> {
    const { store, accounts } = this.#parts;
    const owner = (await this.list(accountId)).find(({ role }) => role === 'owner');
    const account = await accounts.find(accountId);
    const person = owner && (await findPersonByEmail(store, owner.email));
    if (!person || account instanceof Refusal) return;
    const { email, email_verified: emailVerified } = person;
    if (account.email === email && account.emailVerified === emailVerified) return;
    await accounts.change(accountId, { email, emailVerified }, actor);
  }

  /** Refuses to remove a person without whom the organization would have no owner. */
  async refuseLastOwner(accountId: string, personId: string): Promise<Refusal | undefined> {
    const where = matching({ account_id: accountId, role: 'owner' });
    const owners = await this.#parts.store.findPeople('membership', { where });
    return owners.length === 1 && owners[0]!.person_id === personId ? lastOwner() : undefined;
  }

  async #find(accountId: string, personId: string): Promise<Member | undefined> {
    return (await this.list(accountId)).find(({ id }) => id === personId);
  }

  /** Writes a change, and revokes the keys of the person's signed-in clients, which are the person's own. */
  async #changeAndRevoke(
    accountId: string,
    personId: string,
    write: PeopleWrite,
    entry: MemberEntry,
  ): Promise<Refusal | undefined> {
    const { now, forgetKeys } = this.#parts;
    const where = matching({ account_id: accountId, person_id: personId });
    const refusal = await this.#change(accountId, write, entry, { where, at: now(), actor: entry.actor });
    forgetKeys(accountId);
    return refusal;
  }

  async #change(
    accountId: string,
    write: PeopleWrite,
    entry: MemberEntry,
    revokes?: KeyRevocation,
  ): Promise<Refusal | undefined> {
    const { store, now } = this.#parts;
    const owners = matching({ account_id: accountId, role: 'owner' });
    const outcome = await store.changePeople({
      writes: [write, { kind: 'expect', table: 'membership', where: owners }],
      audit: [auditOf({ at: now(), ...entry, target: accountId })],
      lock: membersLock(accountId),
      ...(revokes && { revokes }),
    });
    if (outcome === 'conflict') return lastOwner();
    await this.syncEmail(accountId, entry.actor);
    return undefined;
  }
}

const auditedMember = ({ email, role }: Member) => ({ email, role });

const noMember = (): Refusal =>
  new Refusal('not_found', { message: 'This person is not in the organization.' });

const lastOwner = (): Refusal =>
  new Refusal('conflict', { message: 'An organization needs an owner. Make somebody else an owner first.' });
