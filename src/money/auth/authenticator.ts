import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { andThen, type MaybeLater } from '../../base/lib/maybe-later.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { readCredential } from '../../edge/http/read-credential.ts';
import type { KeyHeaderChoice } from '../../translation/contract/key-header.ts';
import type { Account } from '../accounts/account.ts';
import type { ApiKey } from '../accounts/api-key.ts';
import { hashKey, isWellFormedKey } from '../accounts/key-format.ts';
import { secretEndsAt } from '../accounts/secret-ends-at.ts';
import { type Credential, CredentialCache } from './credential-cache.ts';
import { derivePrincipal, isCurrent } from './derived-principal.ts';
import type { Principal } from './principal.ts';
import { MAX_RESTARTS, StaleCaller } from './stale-caller.ts';

/** The part of the store that authentication uses. */
export type CredentialSource = {
  /** Finds a key by the hash of its secret, or of a secret that it had. */
  findKeyByHash(hash: string): Promise<ApiKey | undefined>;
  findKey(id: string): Promise<ApiKey | undefined>;
  findAccount(id: string): Promise<Account | undefined>;
};

/** The callbacks for an authenticated request. */
export type Welcome = {
  /** Runs for every authenticated request. */
  greet(exchange: Exchange, principal: Principal): void;
  /** Counts a request that calls no model, or refuses it. `stale`: the account or the key has changed. */
  countRead(exchange: Exchange, principal: Principal): MaybeLater<Refusal | 'stale' | undefined>;
};

const NO_WELCOME: Welcome = { greet() {}, countRead: () => undefined };

/** Finds the principal of a request. */
export type RequestAuthenticator = Pick<
  Authenticator,
  'authenticate' | 'authenticateRead' | 'authenticateAgain'
>;

/** A read that is being counted. */
type Counting = {
  authenticateAgain(stale: Principal): MaybeLater<Principal | Refusal>;
  restarts: number;
};

/**
 * Authenticates requests. Changes of keys and accounts call `forget…`, so that a revocation takes effect
 * immediately.
 */
export class Authenticator {
  readonly #source: CredentialSource;
  readonly #clock: Clock;
  readonly #welcomes: Welcome;
  readonly #credentials = new CredentialCache();

  constructor(source: CredentialSource, clock: Clock, welcomes: Welcome = NO_WELCOME) {
    this.#source = source;
    this.#clock = clock;
    this.#welcomes = welcomes;
  }

  /**
   * Authenticates a request, synchronously if the key is cached.
   * `accepted` is the header that the endpoint accepts.
   */
  authenticate(exchange: Exchange, accepted: KeyHeaderChoice): MaybeLater<Principal | Refusal> {
    const { config, names } = exchange.snapshot;
    const secret = readCredential(exchange, { accepted, inAnyHeader: config.auth.any_header });
    if (secret instanceof Refusal) return secret;
    if (!secret.startsWith(names.keyPrefix)) return foreignKey(names.keyPrefix);
    const hash = hashKey(secret);
    const credential = this.#credentials.get(hash);
    if (credential) return this.#welcome(exchange, credential);
    // The form is checked only now, since a cached key is well formed.
    if (!isWellFormedKey(secret, names.keyPrefix)) return new Refusal('invalid_api_key');
    return this.#load(exchange, hash, 'secret');
  }

  /** Authenticates a request that calls no model. The request is counted before its body is read. */
  authenticateRead(exchange: Exchange, accepted: KeyHeaderChoice): MaybeLater<Principal | Refusal> {
    return andThen(this.authenticate(exchange, accepted), (principal) =>
      this.#countRead(exchange, principal, {
        authenticateAgain: (stale) => this.authenticateAgain(exchange, stale, accepted),
        restarts: 0,
      }),
    );
  }

  /**
   * Authenticates every request of a signed-in person by one key, without its secret.
   * Budgets count it for the person.
   */
  withKey(keyId: string, personId: string): RequestAuthenticator {
    const authenticate = (exchange: Exchange) =>
      andThen(this.recognize(exchange, keyId), (principal) =>
        this.#greet(exchange, principal instanceof Refusal ? principal : ofPerson(principal, personId)),
      );
    const authenticateAgain = (exchange: Exchange, stale: Principal) => {
      this.#credentials.forgetStale(stale);
      return authenticate(exchange);
    };
    const authenticateRead = (exchange: Exchange) =>
      andThen(authenticate(exchange), (principal) =>
        this.#countRead(exchange, principal, {
          authenticateAgain: (stale) => authenticateAgain(exchange, stale),
          restarts: 0,
        }),
      );
    return { authenticate, authenticateAgain, authenticateRead };
  }

  /** Authenticates a request again whose account or key has changed since. */
  authenticateAgain(
    exchange: Exchange,
    stale: Principal,
    accepted: KeyHeaderChoice,
  ): MaybeLater<Principal | Refusal> {
    this.#credentials.forgetStale(stale);
    return exchange.detached
      ? this.recognize(exchange, stale.apiKey.id)
      : this.authenticate(exchange, accepted);
  }

  /** Returns the current principal for a key. It is used where no request carries a secret of the key. */
  recognize(exchange: Exchange, keyId: string): MaybeLater<Principal | Refusal> {
    const credential = this.#credentials.get(keyId);
    return credential ? this.#principalOf(exchange, credential) : this.#load(exchange, keyId, 'id');
  }

  /** Forgets a key with all of its secrets. */
  forgetKey(id: string): void {
    this.#credentials.forgetChanged(({ apiKey }) => apiKey.id === id);
  }

  /** Forgets everything. It is used after a time in which changes by other processes may have been missed. */
  forgetAll(): void {
    this.#credentials.forgetChanged(() => true);
  }

  forgetAccount(accountId: string): void {
    this.#credentials.forgetChanged(({ account }) => account.id === accountId);
  }

  #countRead(
    exchange: Exchange,
    principal: Principal | Refusal,
    { authenticateAgain, restarts }: Counting,
  ): MaybeLater<Principal | Refusal> {
    if (principal instanceof Refusal) return principal;
    return andThen(this.#welcomes.countRead(exchange, principal), (counted) => {
      if (counted !== 'stale') return counted ?? principal;
      if (restarts === MAX_RESTARTS) throw new StaleCaller();
      return andThen(authenticateAgain(principal), (current) =>
        this.#countRead(exchange, current, { authenticateAgain, restarts: restarts + 1 }),
      );
    });
  }

  async #load(exchange: Exchange, name: string, by: 'secret' | 'id'): Promise<Principal | Refusal> {
    const { changes } = this.#credentials;
    const apiKey = await (by === 'id' ? this.#source.findKey(name) : this.#source.findKeyByHash(name));
    const account = apiKey && (await this.#source.findAccount(apiKey.accountId));
    if (!account) return new Refusal('invalid_api_key');
    const endsAt = secretEndsAt(apiKey, by === 'id' ? apiKey.hash : name);
    const credential: Credential = { apiKey, account, endsAt, derived: undefined };
    this.#credentials.keep(name, credential, changes);
    return by === 'id' ? this.#principalOf(exchange, credential) : this.#welcome(exchange, credential);
  }

  #welcome(exchange: Exchange, credential: Credential): Principal | Refusal {
    return this.#greet(exchange, this.#principalOf(exchange, credential));
  }

  #greet(exchange: Exchange, principal: Principal | Refusal): Principal | Refusal {
    if (!(principal instanceof Refusal)) this.#welcomes.greet(exchange, principal);
    return principal;
  }

  #principalOf(exchange: Exchange, credential: Credential): Principal | Refusal {
    const { apiKey, account: stored } = credential;
    exchange.accountId = stored.id;
    exchange.notes.accountId = stored.id;
    exchange.notes.keyId = apiKey.id;
    exchange.notes.keyName = apiKey.name;
    if (apiKey.revokedAt !== null) return new Refusal('revoked_api_key');
    const now = this.#clock.now();
    if (now >= credential.endsAt) return refuseEnded(apiKey, now);
    if (stored.status === 'suspended') return new Refusal('account_suspended');
    if (stored.status === 'closed') return new Refusal('account_closed');
    const { plans } = exchange.snapshot;
    let { derived } = credential;
    if (!derived || !isCurrent(derived, plans, now)) {
      derived = derivePrincipal(credential, plans, now);
      credential.derived = derived;
    }
    return derived.principal;
  }
}

const ofPerson = (principal: Principal, personId: string): Principal => ({
  ...principal,
  apiKey: { ...principal.apiKey, personId },
});

/** Names the prefix, since clients are often left with the key of a vendor or of another service. */
const foreignKey = (prefix: string): Refusal =>
  new Refusal('invalid_api_key', {
    message: `The API key is not valid. The keys of this server begin with '${prefix}'.`,
  });

const refuseEnded = ({ expiresAt }: ApiKey, now: number): Refusal =>
  new Refusal('revoked_api_key', {
    message:
      expiresAt !== null && expiresAt <= now
        ? `This API key expired at ${isoTime(expiresAt)}.`
        : 'This API key was replaced by a new one.',
  });
