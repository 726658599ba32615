import { randomText } from '../../base/lib/ids.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import type { PeopleStore, PeopleWrite } from './people-store.ts';
import { isLiveAt, matching } from './people-tests.ts';
import { createPerson, findPersonByEmail, type Person } from './person.ts';
import { withoutPassword, writesForPassword } from './person-writes.ts';

/** Sign-ups wait as long as unverified people are kept. */
export const SIGN_UP_S = 7 * 86_400;
const ID_LENGTH = 22;
const ID_PREFIX = 'tok_';

/** Returns a new id, which the cookie of the browser carries. */
export const newSignUpId = (): string => randomText(ID_LENGTH);

export type SignUpsParts = { store: PeopleStore; now(): number };

type NewPerson = { email: string; name: string; network: string };

/** A sign-up that waits for a verification. The password is a hash. */
type WaitingSignUp = { id: string; name: string; password: string; network?: string };

/** The facts that show which sign-up a verification belongs to. */
export type SignUpProof = {
  /** The sign-up of the verifying browser, from its cookie. */
  ofBrowser: string | undefined;
  /** The sign-up that the link was sent for. */
  ofLink: string | undefined;
  /** The network of the verifying browser. */
  network: string;
};

/**
 * Sign-ups whose addresses are not verified. Anybody can sign up with any address, so a password signs nobody
 * in before its address is verified, and several sign-ups of one address wait next to each other. A
 * verification admits the password of one of them at most.
 */
export class SignUps {
  readonly #store: PeopleStore;
  readonly #now: () => number;

  constructor({ store, now }: SignUpsParts) {
    this.#store = store;
    this.#now = now;
  }

  /** Keeps a sign-up. Returns undefined if the address is verified and therefore has an owner. */
  async add(
    { email, name, network }: NewPerson,
    password: string,
  ): Promise<{ person: Person; signUp: string } | undefined> {
    const existingPerson = await findPersonByEmail(this.#store, email);
    if (existingPerson?.email_verified) return undefined;
    const now = this.#now();
    const person = existingPerson ?? createPerson({ email, name, isVerified: false }, now);
    const signUp = newSignUpId();
    const row = {
      id: ID_PREFIX + signUp,
      identifier: identifierOf(person.id),
      value: JSON.stringify({ name, password, network: hashKey(network) }),
      expires_at: now + SIGN_UP_S * 1_000,
      created_at: now,
      updated_at: now,
    };
    const added = await this.#store.changePeople({
      writes: [
        existingPerson ? keepLonger(person.id, now) : { kind: 'insert', table: 'person', row: person },
        { kind: 'insert', table: 'sign_in_token', row },
      ],
    });
    // Another sign-up or a verification of the same address came first.
    return added === 'conflict' ? this.add({ email, name, network }, password) : { person, signUp };
  }

  /**
   * Returns the only waiting sign-up of a person. Returns undefined if there are several, since nobody knows
   * whose the others are.
   */
  async onlyOne(personId: string): Promise<string | undefined> {
    const waiting = await this.#waiting(personId);
    return waiting.length === 1 ? waiting[0]!.id : undefined;
  }

  /**
   * Gives the person the password of one waiting sign-up, just before the address is verified. All others
   * end. If no sign-up counts, the person chooses a password by a link.
   */
  async settle(personId: string, proof: SignUpProof): Promise<void> {
    const signUp = choose(await this.#waiting(personId), proof);
    const now = this.#now();
    const where = matching({ id: personId });
    const writesForSignUp: PeopleWrite[] = signUp
      ? [
          ...writesForPassword(personId, { hash: signUp.password, now }),
          { kind: 'update', table: 'person', where, set: { name: signUp.name, updated_at: now } },
        ]
      : [];
    // A conflict: the address has been verified meanwhile, and nothing changes.
    await this.#store.changePeople({
      writes: [expectUnverified(personId), withoutPassword(personId), ...writesForSignUp],
      lock: `sign-ups ${personId}`,
    });
  }

  async #waiting(personId: string): Promise<WaitingSignUp[]> {
    const rows = await this.#store.findPeople('sign_in_token', {
      where: [...matching({ identifier: identifierOf(personId) }), isLiveAt(this.#now())],
      sort: { column: 'created_at', descending: true },
    });
    // `add` wrote the values.
    return rows.map(({ id, value }) => ({
      id: id.slice(ID_PREFIX.length),
      ...(JSON.parse(value) as Omit<WaitingSignUp, 'id'>),
    }));
  }
}

/**
 * Returns the sign-up whose password counts: the sign-up of the verifying browser, or else the sign-up of the
 * link. The owner can open a stranger's link by mistake. Among several sign-ups, the sign-up of a link only
 * counts if it is the latest and the verifying browser is in its network.
 */
function choose([latest, ...earlier]: WaitingSignUp[], proof: SignUpProof): WaitingSignUp | undefined {
  if (!latest) return undefined;
  const ofBrowser = [latest, ...earlier].find(({ id }) => id === proof.ofBrowser);
  if (ofBrowser || latest.id !== proof.ofLink) return ofBrowser;
  return earlier.length === 0 || latest.network === hashKey(proof.network) ? latest : undefined;
}

/** Removes the sign-ups of a person that wait for a verification. */
export const withoutSignUps = (personId: string): PeopleWrite => ({
  kind: 'delete',
  table: 'sign_in_token',
  where: matching({ identifier: identifierOf(personId) }),
});

const identifierOf = (personId: string): string => `sign-up ${personId}`;

const unverified = (id: string) => matching({ id, email_verified: false });

const expectUnverified = (id: string): PeopleWrite => ({
  kind: 'expect',
  table: 'person',
  where: unverified(id),
});

/** Unverified people are removed when the time of their latest sign-up has passed. */
const keepLonger = (id: string, now: number): PeopleWrite => ({
  kind: 'update',
  table: 'person',
  where: unverified(id),
  set: { created_at: now },
  rows: 1,
});
