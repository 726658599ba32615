import { Refusal } from '../../base/errors/refusal.ts';
import { after, type MaybeLater } from '../../base/lib/after.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { readCredential } from '../../edge/http/read-credential.ts';
import type { Plans } from '../../settings/plans/plan.ts';
import type { KeyHeaderChoice } from '../../translation/contract/key-header.ts';
import type { Account } from '../accounts/account.ts';
import type { ApiKey } from '../accounts/api-key.ts';
import { hashKey, isWellFormedKey } from '../accounts/key-format.ts';
import { rollCycle } from '../accounts/roll-cycle.ts';
import { secretEndsAt } from '../accounts/secret-ends-at.ts';
import { periodOf, resetsAt } from '../ledger/period.ts';
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
export type Authenticating = Pick<Authenticator, 'authenticate' | 'authenticateRead' | 'authenticateAgain'>;

type Standing = { plans: Plans; principal: Principal; from: number; until: number };
/** `endsAt`: the secret is refused from this time on. */
type Credential = { apiKey: ApiKey; account: Account; endsAt: number; standing: Standing | undefined };

type Counting = {
  authenticateAgain(stale: Principal): MaybeLater<Principal | Refusal>;
  restarts: number;
};

/** Credentials kept in memory. A known key needs no look-up in the store. */
const MAX_KEPT = 100_000;
/**
 * Evictions happen in bulk, since finding the oldest entry of a Map scans the
 * entries that were deleted before it.
 */
const FORGOTTEN_AT_A_TIME = 1_000;

/**
 * Authenticates requests. Changes of keys and accounts call `forget…`, so that a
 * revocation takes effect immediately.
 */
export class Authenticator {
  readonly #source: CredentialSource;
  readonly #clock: Clock;
  readonly #welcomes: Welcome;
  /** The credentials by the hash of the secret. Batches have no secret, and use the id of the key instead. */
  readonly #credentials = new Map<string, Credential>();
  /** The number of invalidations. A look-up that started before the latest one is not cached. */
  #changes = 0;

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
    return after(this.authenticate(exchange, accepted), (principal) =>
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
  withKey(keyId: string, personId: string): Authenticating {
    const authenticate = (exchange: Exchange) =>
      after(this.recognize(exchange, keyId), (principal) =>
        this.#greet(exchange, principal instanceof Refusal ? principal : ofPerson(principal, personId)),
      );
    const authenticateAgain = (exchange: Exchange, stale: Principal) => {
      this.#forgetStale(stale);
      return authenticate(exchange);
    };
    const authenticateRead = (exchange: Exchange) =>
      after(authenticate(exchange), (principal) =>
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
    this.#forgetStale(stale);
    return exchange.detached
      ? this.recognize(exchange, stale.apiKey.id)
      : this.authenticate(exchange, accepted);
  }

  /** Returns the current principal for a key. It is used where no request carries a secret of the key. */
  recognize(exchange: Exchange, keyId: string): MaybeLater<Principal | Refusal> {
    const credential = this.#credentials.get(keyId);
    return credential ? this.#judge(exchange, credential) : this.#load(exchange, keyId, 'id');
  }

  /** Forgets a key with all of its secrets. */
  forgetKey(id: string): void {
    this.#changes++;
    for (const [name, { apiKey }] of this.#credentials) if (apiKey.id === id) this.#credentials.delete(name);
  }

  /** Forgets everything. It is used after a time in which changes by other processes may have been missed. */
  forgetAll(): void {
    this.#changes++;
    this.#credentials.clear();
  }

  forgetAccount(accountId: string): void {
    this.#changes++;
    for (const [name, { account }] of this.#credentials)
      if (account.id === accountId) this.#credentials.delete(name);
  }

  /** Forgets a key and an account by their ids. */
  forget(keyId: string | undefined, accountId: string | undefined): void {
    this.#changes++;
    for (const [name, { apiKey, account }] of this.#credentials)
      if (apiKey.id === keyId || account.id === accountId) this.#credentials.delete(name);
  }

  /** Forgets the credentials of a key in these versions. Newer ones stay. */
  #forgetStale({ apiKey, account }: Principal): void {
    for (const name of [apiKey.id, apiKey.hash, apiKey.previous?.hash]) {
      const credential = name === undefined ? undefined : this.#credentials.get(name);
      if (credential?.apiKey.version === apiKey.version && credential.account.version === account.version)
        this.#credentials.delete(name!);
    }
  }

  #countRead(
    exchange: Exchange,
    principal: Principal | Refusal,
    { authenticateAgain, restarts }: Counting,
  ): MaybeLater<Principal | Refusal> {
    if (principal instanceof Refusal) return principal;
    return after(this.#welcomes.countRead(exchange, principal), (counted) => {
      if (counted !== 'stale') return counted ?? principal;
      if (restarts === MAX_RESTARTS) throw new StaleCaller();
      return after(authenticateAgain(principal), (current) =>
        this.#countRead(exchange, current, { authenticateAgain, restarts: restarts + 1 }),
      );
    });
  }

  async #load(exchange: Exchange, name: string, by: 'secret' | 'id'): Promise<Principal | Refusal> {
    const changes = this.#changes;
    const apiKey = await (by === 'id' ? this.#source.findKey(name) : this.#source.findKeyByHash(name));
    const account = apiKey && (await this.#source.findAccount(apiKey.accountId));
    if (!account) return new Refusal('invalid_api_key');
    const endsAt = secretEndsAt(apiKey, by === 'id' ? apiKey.hash : name);
    const credential: Credential = { apiKey, account, endsAt, standing: undefined };
    if (changes === this.#changes) this.#keep(name, credential);
    return by === 'id' ? this.#judge(exchange, credential) : this.#welcome(exchange, credential);
  }

  #keep(name: string, credential: Credential): void {
    if (this.#credentials.size >= MAX_KEPT) this.#forgetOldest();
    this.#credentials.set(name, credential);
  }

  #forgetOldest(): void {
    for (const name of [...this.#credentials.keys().take(FORGOTTEN_AT_A_TIME)])
      this.#credentials.delete(name);
  }

  #welcome(exchange: Exchange, credential: Credential): Principal | Refusal {
    return this.#greet(exchange, this.#judge(exchange, credential));
  }

  #greet(exchange: Exchange, principal: Principal | Refusal): Principal | Refusal {
    if (!(principal instanceof Refusal)) this.#welcomes.greet(exchange, principal);
    return principal;
  }

  #judge(exchange: Exchange, credential: Credential): Principal | Refusal {
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
    const { standing } = credential;
    if (standing?.plans !== plans || now < standing.from || now >= standing.until)
      credential.standing = standingOf(credential, plans, now);
    return credential.standing!.principal;
  }
}

const ofPerson = (principal: Principal, personId: string): Principal => ({
  ...principal,
  apiKey: { ...principal.apiKey, personId },
});

/** Clients are often left with a vendor's key, or the variable of another service. */
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

/**
 * Derives the account, its plan and its period.
 * The result is valid until the next renewal, grant or change of the plans.
 */
function standingOf({ apiKey, account: stored }: Credential, plans: Plans, now: number): Standing {
  const account = rollCycle(stored, now);
  const table = plans[account.plan];
  const plan = account.planOverrides ? { ...table, ...account.planOverrides } : table;
  const period = periodOf(account, plan);
  return {
    plans,
    principal: { apiKey, account, plan, period },
    from: account === stored ? Number.NEGATIVE_INFINITY : (period.daily?.from ?? period.startedAt),
    until: resetsAt(period) ?? Number.POSITIVE_INFINITY,
  };
}
