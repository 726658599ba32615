import type { SignInProviderRow } from '../../settings/config/dashboard-schema.ts';
import type { AuthHooks } from './auth-hooks.ts';
import type { Auth, AuthParts } from './create-auth.ts';
import type { AuthSight } from './create-auth-adapter.ts';
import type { HashingQueue } from './hashing-queue.ts';
import type { AuthOrigin } from './origin-of.ts';
import type { PeopleStore } from './people-store.ts';
import { storedSecret } from './stored-secret.ts';

export type AuthLibraryParts = {
  store: PeopleStore;
  hooks: AuthHooks;
  hashing: HashingQueue;
  /**
   * Returns the secret of the configuration. `null` means that the first process makes one and keeps it in
   * the store.
   */
  secret: () => string | null;
  /** Returns the name that authenticator apps show. */
  issuer: () => string;
  providers: () => readonly SignInProviderRow[];
  now(): number;
};

/** `withProviders` can wait for the documents of issuers. */
export type AuthView = AuthSight & { withProviders?: boolean };

const SECRET = 'cookies';
/** A server has one or two addresses. Requests with other Host headers must not fill the memory. */
const MAX_ORIGINS = 8;

/** Loads the sign-in library when it is first needed, so that a start stays quick. */
export class AuthLibrary {
  readonly #parts: AuthLibraryParts;
  readonly #auths = new Map<string, Promise<Auth>>();
  #stored: string | undefined;

  constructor(parts: AuthLibraryParts) {
    this.#parts = parts;
  }

  /** Returns the library for one address. */
  at(
    origin: AuthOrigin,
    { withProviders = false, verifiedOnly = withProviders }: AuthView = {},
  ): Promise<Auth> {
    const { secret, issuer } = this.#parts;
    const providers = withProviders ? this.#parts.providers() : [];
    const name = JSON.stringify([origin, secret(), issuer(), providers, verifiedOnly]);
    const existingAuth = this.#auths.get(name);
    if (existingAuth) return existingAuth;
    if (this.#auths.size >= MAX_ORIGINS) this.#auths.clear();
    const auth = this.#create(origin, { providers, sight: { verifiedOnly } });
    this.#auths.set(name, auth);
    auth.catch(() => this.#auths.delete(name));
    return auth;
  }

  /** Returns the hash of a password as the store keeps it. */
  async hashPassword(password: string, origin: AuthOrigin): Promise<string> {
    const { password: passwords } = await (await this.at(origin)).$context;
    return passwords.hash(password);
  }

  /** Returns the secret that signs cookies and links. */
  async secret(): Promise<string> {
    const { secret, store } = this.#parts;
    const configured = secret();
    if (configured !== null) return configured;
    this.#stored ??= await storedSecret(store, SECRET);
    return this.#stored;
  }

  async #create(origin: AuthOrigin, parts: Pick<AuthParts, 'providers' | 'sight'>): Promise<Auth> {
    const { store, hooks, issuer, hashing, now } = this.#parts;
    const { createAuth } = await import('./create-auth.ts');
    const secret = await this.secret();
    return createAuth({ store, hooks, hashing, now, origin, ...parts, issuer: issuer(), secret });
  }
}
