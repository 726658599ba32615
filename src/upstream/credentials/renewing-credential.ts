import type { MaybeLater } from '../../base/lib/after.ts';
import type { CloudPlan } from '../../settings/hosts/cloud-plan.ts';
import {
  type CloudSecret,
  CredentialFailure,
  type CredentialState,
  type ProviderCredential,
} from '../../settings/hosts/provider-credential.ts';
import type { FetchedSecret, FetchSecret } from './fetched-secret.ts';

/** A secret is renewed when this share of its life is left, within these bounds. */
const LEFT_SHARE = 0.1;
const LEAST_LEFT_MS = 60_000;
const MOST_LEFT_MS = 300_000;
/** The pause after a failed renewal. It doubles with each further failure. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export type RenewingParts = {
  kind: CloudPlan['kind'];
  ask: FetchSecret;
  now(): number;
  /** The secrets of the settings. */
  fixedSecrets: readonly string[];
  failed(failure: CredentialFailure): void;
  recovered(): void;
};

type Held = FetchedSecret & { fetchedAt: number };

/** Keeps the secret of one provider, and renews it in the background, once at a time. */
export class RenewingCredential implements ProviderCredential {
  readonly #parts: RenewingParts;
  #held: Held | undefined;
  #renewing: Promise<CloudSecret> | undefined;
  #failure: CredentialFailure | undefined;
  #failures = 0;
  #notBefore = 0;

  constructor(parts: RenewingParts) {
    this.#parts = parts;
  }

  current(): MaybeLater<CloudSecret> {
    const held = this.#held;
    if (held && !this.#isExpired(held)) {
      if (this.#isDue(held)) this.refreshIfDue();
      return held.secret;
    }
    return this.#renewSoon();
  }

  async renew(refused: CloudSecret): Promise<CloudSecret | undefined> {
    const held = this.#held;
    if (held && held.secret !== refused && !this.#isExpired(held)) return held.secret;
    if (held?.expiresAt === null) return undefined; // a fixed key stays the same
    try {
      return await this.#renewSoon();
    } catch {
      return undefined;
    }
  }

  refreshIfDue(): void {
    const held = this.#held;
    if (held && !this.#isDue(held)) return;
    this.#renewSoon().catch(() => {}); // the failure is told, and the old secret serves until it expires
  }

  state(): CredentialState {
    const { kind } = this.#parts;
    const source = this.#failure?.source ?? this.#held?.source ?? null;
    return {
      ...{ kind, source },
      expiresAt: this.#held?.expiresAt ?? null,
      refreshedAt: this.#held?.fetchedAt ?? null,
      error: this.#failure?.message ?? null,
    };
  }

  secrets(): readonly string[] {
    const { fixedSecrets } = this.#parts;
    const secret = this.#held?.secret;
    if (secret === undefined) return fixedSecrets;
    if (secret.kind === 'token') return [...fixedSecrets, secret.token];
    const { accessKeyId, secretAccessKey, sessionToken } = secret.keys;
    return [...fixedSecrets, accessKeyId, secretAccessKey, ...(sessionToken ? [sessionToken] : [])];
  }

  #isExpired = ({ expiresAt }: Held): boolean => expiresAt !== null && this.#parts.now() >= expiresAt;

  #isDue({ expiresAt, fetchedAt }: Held): boolean {
    if (expiresAt === null) return false;
    const left = Math.min(Math.max((expiresAt - fetchedAt) * LEFT_SHARE, LEAST_LEFT_MS), MOST_LEFT_MS);
    return this.#parts.now() >= expiresAt - left;
  }

  /** Joins the renewal that is under way, or begins one. After a failure there is a pause. */
  #renewSoon(): Promise<CloudSecret> {
    if (this.#renewing) return this.#renewing;
    if (this.#failure && this.#parts.now() < this.#notBefore) return Promise.reject(this.#failure);
    this.#renewing = this.#renewNow().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renewNow(): Promise<CloudSecret> {
    const { ask, now, failed, recovered } = this.#parts;
    try {
      const fetched = await ask();
      this.#held = { ...fetched, fetchedAt: now() };
      if (this.#failure) recovered();
      [this.#failure, this.#failures] = [undefined, 0];
      return fetched.secret;
    } catch (error) {
      const failure =
        error instanceof CredentialFailure ? error : new CredentialFailure('unknown', 'The source failed.');
      this.#failure = failure;
      this.#notBefore = now() + Math.min(FIRST_PAUSE_MS * 2 ** this.#failures++, LONGEST_PAUSE_MS);
      failed(failure);
      throw failure;
    }
  }
}
