import { DAY_MS } from '../../base/lib/units.ts';
import type { PeopleStore } from './people-store.ts';
import { isBefore, matching } from './people-tests.ts';

/** A person who has not verified the address for so long is removed. The link is valid for a day. */
const UNVERIFIED_MS = 7 * DAY_MS;
const WANTED_MS = 7 * DAY_MS;

/** Removes what has expired: sessions, invitations, wanted links, and sign-ups that nobody verified. */
export async function sweepPeople(store: PeopleStore, now: number): Promise<void> {
  await store.changePeople({
    writes: [
      { kind: 'delete', table: 'person_session', where: [isBefore('expires_at', now)] },
      { kind: 'delete', table: 'invitation', where: [isBefore('expires_at', now)] },
      { kind: 'delete', table: 'sign_in_token', where: [isBefore('expires_at', now)] },
      { kind: 'delete', table: 'link_request', where: [isBefore('created_at', now - WANTED_MS)] },
      {
        kind: 'delete',
        table: 'person',
        where: [...matching({ email_verified: false }), isBefore('created_at', now - UNVERIFIED_MS)],
      },
    ],
  });
}
