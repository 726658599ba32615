import { hashKey } from '../../money/accounts/key-format.ts';
import type { PeopleStore } from './people-store.ts';

/** The sign-in library's error code for a code that was used before. */
export const USED_CODE = 'CODE_USED';

/** An authenticator app's code is valid in its own 30 seconds, and in those before and after. */
const LASTS_MS = 120_000;

/** Remembers the codes of authenticator apps that were right, since each works once, on whichever node. */
export class UsedCodes {
  readonly #store: PeopleStore;

  constructor(store: PeopleStore) {
    this.#store = store;
  }

  async has(personId: string, code: string): Promise<boolean> {
    const live = { column: 'expires_at', is: 'gt' as const, value: Date.now() };
    const where = [{ column: 'id', value: idOf(personId, code) }, live];
    return (await this.#store.countPeople('sign_in_token', where)) > 0;
  }

  /** Marks a code as used. Returns false if it was used before. */
  async use(personId: string, code: string): Promise<boolean> {
    const id = idOf(personId, code);
    const now = Date.now();
    const row = {
      id,
      identifier: id,
      value: '',
      expires_at: now + LASTS_MS,
      created_at: now,
      updated_at: now,
    };
    const ended = { column: 'expires_at', is: 'lte' as const, value: now };
    const used = await this.#store.changePeople({
      writes: [
        { kind: 'delete', table: 'sign_in_token', where: [{ column: 'id', value: id }, ended] },
        { kind: 'insert', table: 'sign_in_token', row },
      ],
    });
    return used !== 'conflict';
  }
}

const idOf = (personId: string, code: string): string => `tok_${hashKey(`code ${personId} ${code}`)}`;
