import { hashKey } from '../../money/accounts/key-format.ts';
import type { PeopleStore } from './people-store.ts';
import { isLiveAt, matching } from './people-tests.ts';

/** The error code of a sign-in with a code that was used before. */
export const USED_CODE = 'CODE_USED';

/**
 * An authenticator app's code is valid for 90 s. It is kept 30 s longer, since the clocks of nodes differ.
 */
const KEPT_MS = 120_000;

/** Remembers the codes of authenticator apps that were right, since each works once, on whichever node. */
export class UsedCodes {
  readonly #store: PeopleStore;
  readonly #now: () => number;

  constructor(store: PeopleStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Reports whether a code was used before. */
  async has(personId: string, code: string): Promise<boolean> {
    const where = [...matching({ id: idOf(personId, code) }), isLiveAt(this.#now())];
    return (await this.#store.countPeople('sign_in_token', where)) > 0;
  }

  /** Marks a code as used. Returns false if it was used before. */
  async use(personId: string, code: string): Promise<boolean> {
    const id = idOf(personId, code);
    const now = this.#now();
    const row = {
      id,
      identifier: id,
      value: '',
      expires_at: now + KEPT_MS,
      created_at: now,
      updated_at: now,
    };
    const outcome = await this.#store.changePeople({
      writes: [
        {
          kind: 'delete',
          table: 'sign_in_token',
          where: [...matching({ id }), { column: 'expires_at', is: 'lte', value: now }],
        },
        { kind: 'insert', table: 'sign_in_token', row },
      ],
    });
    return outcome !== 'conflict';
  }
}

const idOf = (personId: string, code: string): string => `tok_${hashKey(`code ${personId} ${code}`)}`;
