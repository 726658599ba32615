import { newId } from '../../base/lib/ids.ts';
import type { AdminRole } from '../operators/admin-token.ts';
import type { PeopleWrite } from './people-store.ts';
import type { RowOf } from './people-tables.ts';
import { matching } from './people-tests.ts';
import type { Person } from './person.ts';

/** Removes the password of a person. */
export const withoutPassword = (id: string): PeopleWrite => ({
  kind: 'delete',
  table: 'sign_in',
  where: matching({ person_id: id, provider: 'credential' }),
});

/** Gives a person a password, of which the hash is kept. */
export const writesForPassword = (
  personId: string,
  { hash, now }: { hash: string; now: number },
): PeopleWrite[] => [
  {
    kind: 'insert',
    table: 'sign_in',
    row: {
      id: newId('sin_'),
      person_id: personId,
      provider: 'credential',
      subject: personId,
      password: hash,
      created_at: now,
      updated_at: now,
    },
  },
];

/**
 * Removes the people who have not verified an address, for its owner. Their sign-ups end. Anybody can sign up
 * with any address.
 */
export const withoutUnverified = (email: string, exceptId = ''): PeopleWrite => ({
  kind: 'delete',
  table: 'person',
  where: [
    ...matching({ email: email.toLowerCase(), email_verified: false }),
    { column: 'id', is: 'ne', value: exceptId },
  ],
});

/** Removes the request for a link, which operators see until the person has one. */
export const withoutLinkRequest = (kind: RowOf<'link_request'>['kind'], email: string): PeopleWrite => ({
  kind: 'delete',
  table: 'link_request',
  where: matching({ kind, email }),
});

/** Adds a person whose address is verified. */
export const writesForVerified = (person: Person): PeopleWrite[] => [
  withoutUnverified(person.email),
  { kind: 'insert', table: 'person', row: person },
];

/** Gives an operator role, or takes it away. */
export function writesForRole(
  personId: string,
  { role, now }: { role: AdminRole | null; now: number },
): PeopleWrite[] {
  const row = { person_id: personId, role, created_at: now };
  return [
    { kind: 'delete', table: 'operator_role', where: matching({ person_id: personId }) },
    ...(role === null ? [] : [{ kind: 'insert', table: 'operator_role', row } as const]),
  ];
}
