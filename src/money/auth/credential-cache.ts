import type { Account } from '../accounts/account.ts';
import type { ApiKey } from '../accounts/api-key.ts';
import type { DerivedPrincipal } from './derived-principal.ts';
import type { Principal } from './principal.ts';

/** A key and its account as stored. `endsAt`: the secret is refused from this time on. */
export type Credential = {
  readonly apiKey: ApiKey;
  readonly account: Account;
  readonly endsAt: number;
  /** The latest principal that was derived from the key and the account. */
  derived: DerivedPrincipal | undefined;
};

/** Credentials kept in memory. A known key needs no look-up in the store. */
const MAX_KEPT = 100_000;
/**
 * Evictions happen in bulk, since finding the oldest entry of a Map scans the entries that were deleted
 * before it.
 */
const FORGOTTEN_AT_A_TIME = 1_000;

/**
 * The credentials by the hash of the secret. Work without a secret, such as that of batches, has the id of
 * the key in its place.
 */
export class CredentialCache {
  readonly #credentials = new Map<string, Credential>();
  /** The number of times that something was forgotten because it has changed. */
  #changes = 0;

  get(name: string): Credential | undefined {
    return this.#credentials.get(name);
  }

  /** Marks the start of a look-up. */
  get changes(): number {
    return this.#changes;
  }

  /** Keeps a credential, unless something has changed since its look-up started. */
  keep(name: string, credential: Credential, changesAtStart: number): void {
    if (changesAtStart !== this.#changes) return;
    if (this.#credentials.size >= MAX_KEPT) this.#forgetOldest();
    this.#credentials.set(name, credential);
  }

  /** Forgets the changed credentials that match, and all look-ups that are under way. */
  forgetChanged(isChanged: (credential: Credential) => boolean): void {
    this.#changes++;
    for (const [name, credential] of this.#credentials)
      if (isChanged(credential)) this.#credentials.delete(name);
  }

  /** Forgets the credentials of a key in these versions. Newer ones stay. */
  forgetStale({ apiKey, account }: Principal): void {
    for (const name of [apiKey.id, apiKey.hash, apiKey.previous?.hash]) {
      if (name === undefined) continue;
      const credential = this.#credentials.get(name);
      if (credential?.apiKey.version === apiKey.version && credential.account.version === account.version)
        this.#credentials.delete(name);
    }
  }

  #forgetOldest(): void {
    for (const name of [...this.#credentials.keys().take(FORGOTTEN_AT_A_TIME)])
      this.#credentials.delete(name);
  }
}
