import { Refusal } from '../../base/errors/refusal.ts';
import type { AuditEntry } from '../../money/accounts/audit.ts';
import type { AuditAction } from '../../money/accounts/audit-action.ts';
import type { AdminRole } from '../operators/admin-token.ts';
import { auditOf } from './audit-of.ts';
import type { ChangeNotices } from './change-notices.ts';
import { withoutEmailChange } from './email-changes.ts';
import type { Memberships } from './memberships.ts';
import type { PeopleStore, PeopleTest, PeopleWrite } from './people-store.ts';
import { matching } from './people-tests.ts';
import { findPerson, findVerifiedPerson, type Person } from './person.ts';
import { withoutUnverified, writesForRole } from './person-writes.ts';
import { type KnownPerson, readKnownPeople } from './read-known-people.ts';
import { withoutResetLinks } from './reset-links.ts';
import { withoutLinks } from './without-links.ts';

export type PeopleDirectoryParts = {
  store: PeopleStore;
  memberships: Memberships;
  notices: ChangeNotices;
  now(): number;
};

export type PeoplePageRequest = { limit: number; after?: string; email?: string };
export type PeoplePage = { items: KnownPerson[]; hasMore: boolean };
/** Members that are undefined stay as they are. */
export type ChangeByOperator = { email?: string | undefined; role?: AdminRole | null | undefined };
/** `actor` is the operator's name in the audit log. */
export type ByOperator = { actor: string };

/** Shows people to operators, and makes operators' changes for them. */
export class PeopleDirectory {
  readonly #parts: PeopleDirectoryParts;

  constructor(parts: PeopleDirectoryParts) {
    this.#parts = parts;
  }

  /** Lists people in the order of their ids. */
  async list({ limit, after, email }: PeoplePageRequest): Promise<PeoplePage> {
    const { store, now } = this.#parts;
    const where: PeopleTest[] = [
      ...(after === undefined ? [] : [{ column: 'id', is: 'gt' as const, value: after }]),
      ...(email === undefined ? [] : matching({ email: email.toLowerCase() })),
    ];
    const rows = await store.findPeople('person', { where, sort: { column: 'id' }, limit: limit + 1 });
    const items = await readKnownPeople(store, rows.slice(0, limit), now());
    return { items, hasMore: rows.length > limit };
  }

  async find(id: string): Promise<KnownPerson | Refusal> {
    const { store, now } = this.#parts;
    const person = await findPerson(store, id);
    return person ? (await readKnownPeople(store, [person], now()))[0]! : nobody();
  }

  /**
   * Changes the role as an operator and the address, both or neither. A removed role ends with the next
   * request, on every node. The operator vouches for the address, and the accounts that the person owns first
   * get it too.
   */
  async change(id: string, change: ChangeByOperator, by: ByOperator): Promise<KnownPerson | Refusal> {
    const { store, memberships, notices, now } = this.#parts;
    const before = await this.find(id);
    if (before instanceof Refusal) return before;
    const email = change.email?.toLowerCase();
    const owner = email === undefined ? undefined : await findVerifiedPerson(store, email);
    if (owner && owner.id !== id) return addressTaken();
    const order = { ...by, at: now(), before };
    const writes = [
      ...(email === undefined ? [] : writesForEmail(email, order)),
      ...(change.role === undefined ? [] : writesForOperator(change.role, order)),
    ];
    if (writes.length === 0) return before;
    const outcome = await store.changePeople({
      writes: writes.flatMap((write) => write.writes),
      audit: writes.map(({ audit }) => audit),
      ...(change.role !== undefined && { lock: 'operators' }),
    });
    if (outcome === 'conflict') return addressTaken();
    if (email !== undefined) {
      for (const { accountId } of before.memberships) await memberships.syncEmail(accountId, by.actor);
      if (before.email !== email)
        notices.report([before.email, email], 'address', { from: before.email, to: email });
    }
    return this.find(id);
  }

  async endSessions(id: string, { actor }: ByOperator): Promise<Refusal | undefined> {
    const person = await findPerson(this.#parts.store, id);
    if (!person) return nobody();
    await this.#change(person, { actor, action: 'session-end' }, withoutSessions(id));
    return undefined;
  }

  /** Removes the second factor of a person who has lost the authenticator app and the recovery codes. */
  async removeSecondFactor(id: string, { actor }: ByOperator): Promise<Refusal | undefined> {
    const { store, notices, now } = this.#parts;
    const person = await findPerson(store, id);
    if (!person) return nobody();
    const set = { two_factor_enabled: false, updated_at: now() };
    await this.#change(person, { actor, action: 'two-factor-remove' }, [
      { kind: 'delete', table: 'second_factor', where: matching({ person_id: id }) },
      ...withoutSessions(id),
      { kind: 'update', table: 'person', where: matching({ id }), set },
    ]);
    notices.report([person.email], 'two-factor-off');
    return undefined;
  }

  /** Removes a person. An organization keeps an owner, so its last one cannot be removed. */
  async remove(id: string, { actor }: ByOperator): Promise<Refusal | undefined> {
    const { store, memberships, now } = this.#parts;
    const person = await this.find(id);
    if (person instanceof Refusal) return person;
    // The person stays in all organizations if one of them would lose its last owner.
    for (const { accountId } of person.memberships) {
      const refusal = await memberships.refuseLastOwner(accountId, id);
      if (refusal) return refusal;
    }
    for (const { accountId } of person.memberships) {
      const refusal = await memberships.remove(accountId, id, actor);
      if (refusal) return refusal;
    }
    const { email, name, operatorRole } = person;
    const before = { email, name, operatorRole };
    await store.changePeople({
      writes: [{ kind: 'delete', table: 'person', where: matching({ id }) }],
      audit: [auditOf({ at: now(), actor, action: 'person-remove', target: id, before })],
    });
    return undefined;
  }

  async #change(
    { id, email }: Person,
    entry: { actor: string; action: AuditAction },
    writes: readonly PeopleWrite[],
  ): Promise<void> {
    const { store, now } = this.#parts;
    const audit = [auditOf({ at: now(), ...entry, target: id, after: { email } })];
    await store.changePeople({ writes, audit });
  }
}

type AuditedWrites = { writes: PeopleWrite[]; audit: AuditEntry };
type ChangeOrder = ByOperator & { at: number; before: KnownPerson };

function writesForEmail(email: string, { actor, at, before }: ChangeOrder): AuditedWrites[] {
  const { id } = before;
  const set = { email, email_verified: true, updated_at: at };
  const writes: PeopleWrite[] = [
    withoutUnverified(email, id),
    ...withoutLinks(id),
    { kind: 'update', table: 'person', where: matching({ id }), set },
  ];
  const change = { before: { email: before.email }, after: { email } };
  return [{ writes, audit: auditOf({ at, actor, action: 'person-email-change', target: id, ...change }) }];
}

/**
 * Returns nothing if the person has the role already. A link for a new password may be in the hands of an
 * operator who could not have made it for the new role, so it ends.
 */
function writesForOperator(role: AdminRole | null, { actor, at, before }: ChangeOrder): AuditedWrites[] {
  const { id, email, operatorRole } = before;
  if (operatorRole === role) return [];
  const writes = [withoutResetLinks(id), ...writesForRole(id, { role, now: at })];
  const change = { before: { email, role: operatorRole }, after: { email, role } };
  return [{ writes, audit: auditOf({ at, actor, action: 'operator-change', target: id, ...change }) }];
}

/** Ends the sessions of a person, and a change of the address that one of them has asked for. */
const withoutSessions = (id: string): PeopleWrite[] => [
  { kind: 'delete', table: 'person_session', where: matching({ person_id: id }) },
  withoutEmailChange(id),
];

const nobody = (): Refusal => new Refusal('not_found', { message: 'There is no such person.' });

const addressTaken = (): Refusal =>
  new Refusal('conflict', { message: 'Another person has this address.', param: 'email' });
