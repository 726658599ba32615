import { DAY_MS } from '../../base/lib/units.ts';
import type { PeopleStore } from './people-store.ts';

/** A person who has not verified the address for so long is removed. The link is valid for a day. */
const UNVERIFIED_MS = 7 * DAY_MS;
const WANTED_MS = 7 * DAY_MS;

/** Removes what has expired: sessions, invitations, wanted links, and sign-ups that nobody verified. */
export async function sweepPeople(store: PeopleStore, now = Date.now()): Promise<void> {
  const before = (column: string, value: number) => ({ column, is: 'lt' as const, value });
  await store.changePeople({
    writes: [
      { kind: 'delete', table: 'person_session', where: [before('expires_at', now)] },
      { kind: 'delete', table: 'invitation', where: [before('expires_at', now)] },
      { kind: 'delete', table: 'sign_in_token', where: [before('expires_at', now)] },
      { kind: 'delete', table: 'link_request', where: [before('created_at', now - WANTED_MS)] },
      {
        kind: 'delete',
        table: 'person',
        where: [{ column: 'email_verified', value: false }, before('created_at', now - UNVERIFIED_MS)],
      },
    ],
  });
}
