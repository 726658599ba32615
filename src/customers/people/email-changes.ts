import { newId } from '../../base/lib/ids.ts';
import { DAY_MS } from '../../base/lib/units.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import type { PeopleStore, PeopleWrite } from './people-store.ts';
import { isLiveAt, matching } from './people-tests.ts';

export type EmailChangesParts = { store: PeopleStore; now(): number };

/**
 * The links that change the address of a person. The sign-in library only checks the signature of such a
 * link. Without a row here it would work for a day, even after whoever asked for it was locked out.
 */
export class EmailChanges {
  readonly #store: PeopleStore;
  readonly #now: () => number;

  constructor({ store, now }: EmailChangesParts) {
    this.#store = store;
    this.#now = now;
  }

  /** Keeps the hash of a link's token. The person's older link ends. */
  async keep(personId: string, token: string): Promise<void> {
    const now = this.#now();
    const row = {
      id: newId('tok_'),
      identifier: identifierOf(personId),
      value: hashKey(token),
      expires_at: now + DAY_MS,
      created_at: now,
      updated_at: now,
    };
    await this.#store.changePeople({
      writes: [withoutEmailChange(personId), { kind: 'insert', table: 'sign_in_token', row }],
      lock: identifierOf(personId),
    });
  }

  /** Reports whether a link is the person's latest one, and was neither used nor ended. */
  async has(personId: string, token: string): Promise<boolean> {
    const values = { identifier: identifierOf(personId), value: hashKey(token) };
    const where = [...matching(values), isLiveAt(this.#now())];
    return (await this.#store.countPeople('sign_in_token', where)) > 0;
  }
}

const identifierOf = (personId: string): string => `email-change ${personId}`;

/** Ends the link that would change the address of a person. */
export const withoutEmailChange = (personId: string): PeopleWrite => ({
  kind: 'delete',
  table: 'sign_in_token',
  where: matching({ identifier: identifierOf(personId) }),
});
