import { newId } from '../../base/lib/ids.ts';
import type { PeopleStore } from './people-store.ts';
import type { RowOf } from './people-tables.ts';
import { matching } from './people-tests.ts';

export type Person = RowOf<'person'>;

type PersonDraft = { email: string; name: string; isVerified: boolean };

/** Makes a person, whose address is kept in lower case. */
export const createPerson = ({ email, name, isVerified }: PersonDraft, now: number): Person => ({
  id: newId('usr_'),
  email: email.toLowerCase(),
  name,
  email_verified: isVerified,
  image: null,
  two_factor_enabled: false,
  created_at: now,
  updated_at: now,
});

/** Finds the person with an address, verified or not. Its case does not matter. */
export async function findPersonByEmail(store: PeopleStore, email: string): Promise<Person | undefined> {
  return (await store.findPeople('person', { where: matching({ email: email.toLowerCase() }) }))[0];
}

/** Finds the person who has verified an address, and so owns it. */
export async function findVerifiedPerson(store: PeopleStore, email: string): Promise<Person | undefined> {
  const person = await findPersonByEmail(store, email);
  return person?.email_verified ? person : undefined;
}

/** Finds the person with an id. */
export async function findPerson(store: PeopleStore, id: string): Promise<Person | undefined> {
  return (await store.findPeople('person', { where: matching({ id }) }))[0];
}
