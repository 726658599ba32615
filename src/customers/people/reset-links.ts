import { newId, randomText } from '../../base/lib/ids.ts';
import { HOUR_MS } from '../../base/lib/units.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import { auditOf } from './audit-of.ts';
import { withoutEmailChange } from './email-changes.ts';
import type { PeopleStore, PeopleWrite } from './people-store.ts';
import { isLiveAt, matching } from './people-tests.ts';
import { findPerson, type Person } from './person.ts';
import { withoutLinkRequest, withoutPassword, writesForPassword } from './person-writes.ts';
import { withoutSignUps } from './sign-ups.ts';

const TOKEN_LENGTH = 43;
const LIFETIME_MS = HOUR_MS;
const PREFIX = 'reset ';

export type ResetLinksParts = { store: PeopleStore; now(): number };

/** A link that was found, and the person whose password it changes. */
export type FoundReset = { id: string; person: Person };

/** Links for a new password. A person has at most one, which works once on any node. */
export class ResetLinks {
  readonly #store: PeopleStore;
  readonly #now: () => number;

  constructor({ store, now }: ResetLinksParts) {
    this.#store = store;
    this.#now = now;
  }

  /** Makes the token of a new link. The person's older links end. */
  async create(personId: string): Promise<string> {
    const token = randomText(TOKEN_LENGTH);
    const now = this.#now();
    const row = {
      id: newId('tok_'),
      identifier: identifierOf(token),
      value: rowValueOf(personId),
      expires_at: now + LIFETIME_MS,
      created_at: now,
      updated_at: now,
    };
    await this.#store.changePeople({
      writes: [withoutResetLinks(personId), { kind: 'insert', table: 'sign_in_token', row }],
      lock: lockOf(personId),
    });
    return token;
  }

  /** Finds the unexpired link with this token. */
  async find(token: string): Promise<FoundReset | undefined> {
    const [row] = await this.#store.findPeople('sign_in_token', {
      where: [...matching({ identifier: identifierOf(token) }), isLiveAt(this.#now())],
    });
    const person = row && (await findPerson(this.#store, row.value.slice(PREFIX.length)));
    return person && { id: row.id, person };
  }

  /**
   * Sets the password of the link's person and verifies the address. All sessions, unverified
   * passwords and links to another address end. Returns false if the link was used or replaced meanwhile.
   */
  async use({ id, person }: FoundReset, hash: string): Promise<boolean> {
    const now = this.#now();
    const outcome = await this.#store.changePeople({
      writes: [
        { kind: 'delete', table: 'sign_in_token', where: matching({ id }), rows: 1 },
        withoutResetLinks(person.id),
        withoutSignUps(person.id),
        withoutEmailChange(person.id),
        { kind: 'delete', table: 'person_session', where: matching({ person_id: person.id }) },
        withoutPassword(person.id),
        ...writesForPassword(person.id, { hash, now }),
        {
          kind: 'update',
          table: 'person',
          where: matching({ id: person.id }),
          set: { email_verified: true, updated_at: now },
        },
        withoutLinkRequest('reset', person.email),
      ],
      audit: [auditOf({ at: now, actor: person.email, action: 'password-reset', target: person.id })],
      lock: lockOf(person.id),
    });
    return outcome !== 'conflict';
  }
}

const identifierOf = (token: string): string => hashKey(`${PREFIX}${token}`);
const rowValueOf = (personId: string): string => `${PREFIX}${personId}`;
const lockOf = (personId: string): string => `${PREFIX}${personId}`;

/** Ends the link for a new password of a person. */
export const withoutResetLinks = (personId: string): PeopleWrite => ({
  kind: 'delete',
  table: 'sign_in_token',
  where: matching({ value: rowValueOf(personId) }),
});
