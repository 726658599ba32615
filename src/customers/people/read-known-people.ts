import type { AdminRole } from '../operators/admin-token.ts';
import type { PeopleStore } from './people-store.ts';
import type { RowOf } from './people-tables.ts';
import { isLiveAt, isOneOf } from './people-tests.ts';
import type { Person } from './person.ts';
import type { PersonMembership } from './visitor.ts';

/** A person as operators see it. */
export type KnownPerson = Person & {
  operatorRole: AdminRole | null;
  memberships: PersonMembership[];
  providers: string[];
  sessions: number;
  /** The links that the person asked for and no mail could bring. */
  wantedLinks: RowOf<'link_request'>['kind'][];
};

/** Reads what operators see of people. Each table is read once. */
export async function readKnownPeople(
  store: PeopleStore,
  people: readonly Person[],
  now: number,
): Promise<KnownPerson[]> {
  const ids = people.map(({ id }) => id);
  const emails = people.map(({ email }) => email);
  const ofPeople = [isOneOf('person_id', ids)];
  const sort = { column: 'created_at' };
  const [roles, memberships, signIns, sessions, links] = await Promise.all([
    store.findPeople('operator_role', { where: ofPeople }),
    store.findPeople('membership', { where: ofPeople, sort }),
    store.findPeople('sign_in', { where: ofPeople, sort }),
    store.findPeople('person_session', { where: [...ofPeople, isLiveAt(now)] }),
    store.findPeople('link_request', { where: [isOneOf('email', emails)] }),
  ]);
  return people.map((person) => {
    const isOfPerson = ({ person_id }: { person_id: string }): boolean => person_id === person.id;
    return {
      ...person,
      operatorRole: roles.find(isOfPerson)?.role ?? null,
      memberships: memberships
        .filter(isOfPerson)
        .map(({ account_id: accountId, role }) => ({ accountId, role })),
      providers: signIns.filter(isOfPerson).map(({ provider }) => provider),
      sessions: sessions.filter(isOfPerson).length,
      wantedLinks: links.filter(({ email }) => email === person.email).map(({ kind }) => kind),
    };
  });
}
