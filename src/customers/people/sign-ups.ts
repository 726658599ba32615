import { randomText } from '../../base/lib/ids.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import type { PeopleStore, PeopleWrite } from './people-store.ts';
import { createPerson, findPersonByEmail, type Person } from './person.ts';
import { withoutPassword, writesForPassword } from './person-writes.ts';

/** Sign-ups wait as long as unverified people are kept. */
export const SIGN_UP_S = 7 * 86_400;
const ID_LENGTH = 22;

export const newSignUpId = (): string => randomText(ID_LENGTH);

type NewPerson = { email: string; name: string; network: string };

/** The data of a sign-up that waits. The password is a hash. */
type Waiting = { id: string; name: string; password: string; network?: string };

/** Which sign-up a verification belongs to. */
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

  constructor(store: PeopleStore) {
    this.#store = store;
  }

  /** Keeps a sign-up. Returns undefined if the address is verified and therefore has an owner. */
  async add(
    { email, name, network }: NewPerson,
    password: string,
  ): Promise<{ person: Person; signUp: string } | undefined> {
    const existingPerson = await findPersonByEmail(this.#store, email);
    if (existingPerson?.email_verified) return undefined;
    const person = existingPerson ?? createPerson({ email, name, isVerified: false });
    const signUp = newSignUpId();
    const now = Date.now();
    const row = {
      id: `tok_${signUp}`,
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
   * Returns the only waiting sign-up of a person.
   * Returns undefined if there are several, since nobody knows whose the others are.
   */
  async onlyOne(personId: string): Promise<string | undefined> {
    const waiting = await this.#waiting(personId);
    return waiting.length === 1 ? waiting[0]!.id : undefined;
  }

  /**
   * Decides whose password counts before the address is verified: that of the verifying browser, or else that
   * of the link if no other sign-up waits, or if it is the latest one and came from the same network. All
   * other passwords of the person end. Without a password that counts the person chooses one by a link.
   */
  async settle(personId: string, proof: SignUpProof): Promise<void> {
    const signUp = choose(await this.#waiting(personId), proof);
    const now = Date.now();
    const where = [{ column: 'id', value: personId }];
    const rename: PeopleWrite[] = signUp
      ? [{ kind: 'update', table: 'person', where, set: { name: signUp.name, updated_at: now } }]
      : [];
    // A conflict: the address has been verified meanwhile, and nothing changes.
    await this.#store.changePeople({
      writes: [
        expectUnverified(personId),
        withoutPassword(personId),
        ...(signUp ? writesForPassword(personId, { hash: signUp.password, now }) : []),
        ...rename,
      ],
      lock: `sign-ups ${personId}`,
    });
  }

  async #waiting(personId: string): Promise<Waiting[]> {
    const rows = await this.#store.findPeople('sign_in_token', {
      where: [
        { column: 'identifier', value: identifierOf(personId) },
        { column: 'expires_at', is: 'gt', value: Date.now() },
      ],
      sort: { column: 'created_at', descending: true },
    });
    return rows.map(({ id, value }) => ({
      id: (id as string).slice('tok_'.length),
      ...(JSON.parse(value as string) as Omit<Waiting, 'id'>),
    }));
  }
}

/**
 * The owner can open a stranger's link by mistake, so among several sign-ups the link alone proves nothing.
 */
function choose([latest, ...earlier]: Waiting[], proof: SignUpProof): Waiting | undefined {
  if (!latest) return undefined;
  const own = [latest, ...earlier].find(({ id }) => id === proof.ofBrowser);
  if (own || latest.id !== proof.ofLink) return own;
  return earlier.length === 0 || latest.network === hashKey(proof.network) ? latest : undefined;
}

/** Removes the sign-ups of a person that wait for a verification. */
export const withoutSignUps = (personId: string): PeopleWrite => ({
  kind: 'delete',
  table: 'sign_in_token',
  where: [{ column: 'identifier', value: identifierOf(personId) }],
});

const identifierOf = (personId: string): string => `sign-up ${personId}`;

const unverified = (id: string) => [
  { column: 'id', value: id },
  { column: 'email_verified', value: false },
];

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
