import { newId } from '../../base/lib/ids.ts';
import type { AuditEntry } from '../../money/accounts/audit.ts';
import type { PeopleStore } from './people-store.ts';

/** A row of the table `person`. */
export type Person = {
  id: string;
  email: string;
  name: string;
  email_verified: boolean;
  image: string | null;
  two_factor_enabled: boolean;
  created_at: number;
  updated_at: number;
};

type PersonDraft = { email: string; name: string; isVerified: boolean };

export const createPerson = ({ email, name, isVerified }: PersonDraft): Person => ({
  id: newId('usr_'),
  email: email.toLowerCase(),
  name,
  email_verified: isVerified,
  image: null,
  two_factor_enabled: false,
  created_at: Date.now(),
  updated_at: Date.now(),
});

export async function findPersonByEmail(store: PeopleStore, email: string): Promise<Person | undefined> {
  const [row] = await store.findPeople('person', {
    where: [{ column: 'email', value: email.toLowerCase() }],
  });
  return row as Person | undefined;
}

export async function findVerifiedPerson(store: PeopleStore, email: string): Promise<Person | undefined> {
  const person = await findPersonByEmail(store, email);
  return person?.email_verified ? person : undefined;
}

export async function findPerson(store: PeopleStore, id: string): Promise<Person | undefined> {
  const [row] = await store.findPeople('person', { where: [{ column: 'id', value: id }] });
  return row as Person | undefined;
}

type PeopleChanged = { actor: string; action: string; target: string; before?: unknown; after?: unknown };

export const auditOf = ({
  actor,
  action,
  target,
  before = null,
  after = null,
}: PeopleChanged): AuditEntry => ({
  at: Date.now(),
  actor,
  action,
  target,
  before,
  after,
});
