import type { AdminRole } from '../operators/admin-token.ts';
import type { PeopleRow, PeopleStore } from './people-store.ts';
import type { Person } from './person.ts';
import type { LinkKind } from './personal-link.ts';
import type { MemberRole, PersonMembership } from './visitor.ts';

/** A person as operators see it. */
export type KnownPerson = Person & {
  operatorRole: AdminRole | null;
  memberships: PersonMembership[];
  providers: string[];
  sessions: number;
  /** The links that the person asked for and no mail could bring. */
  wantedLinks: Exclude<LinkKind, 'existing'>[];
};

/** Reads what operators see of people. Each table is read once. */
export async function readKnownPeople(store: PeopleStore, people: readonly Person[]): Promise<KnownPerson[]> {
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
