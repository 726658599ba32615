import { isDeepStrictEqual } from 'node:util';
import { backoffMs } from '../../base/jobs/backoff-ms.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
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
const MIN_LEFT_MS = 60_000;
const MAX_LEFT_MS = 300_000;
/** The pause after a failed renewal. It doubles with each further failure. */
const BACKOFF = { firstMs: 1_000, maxMs: 10_000 };
/** The pause after a renewal, however short the life of the new secret is. */
const BETWEEN_RENEWALS_MS = 1_000;
/** The pause after one that gave the same secret, since sources keep one until shortly before its end. */
const UNCHANGED_PAUSE_MS = 10_000;
/** A secret that has expired by this clock serves for this time, since the host decides by its own clock. */
const SERVES_EXPIRED_MS = 10_000;
/** The pause after a host has refused a new secret too. It will refuse others for the same reason. */
const IN_VAIN_PAUSE_MS = 60_000;

export type RenewingParts = {
  kind: CloudPlan['kind'];
  ask: FetchSecret;
  now(): number;
  /** The secrets of the settings. */
  fixedSecrets: readonly string[];
  onFailure(failure: CredentialFailure): void;
  recovered(): void;
};

type HeldSecret = FetchedSecret & { fetchedAt: number; renewedFrom: number };

/** Keeps the secret of a source, and renews it in the background, once at a time. */
export class RenewingCredential implements ProviderCredential {
  readonly #parts: RenewingParts;
  #held: HeldSecret | undefined;
  /** The texts of the secret before, which hosts can still quote in errors. */
  #former: readonly string[] = [];
  #renewing: Promise<CloudSecret> | undefined;
  #failure: CredentialFailure | undefined;
  #failures = 0;
  #notBefore = 0;
  #inVainUntil = 0;

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
    if (this.#parts.now() < this.#inVainUntil) return undefined;
    try {
      const renewed = await this.#renewSoon();
      // The keys of a file can have changed. The same ones would be refused again.
      const isSame = held?.expiresAt === null && isDeepStrictEqual(renewed, refused);
      if (isSame) this.renewedInVain();
      return isSame ? undefined : renewed;
    } catch {
      return undefined;
    }
  }

  renewedInVain(): void {
    this.#inVainUntil = this.#parts.now() + IN_VAIN_PAUSE_MS;
  }

  refreshIfDue(): void {
    const held = this.#held;
    if (held && !this.#isDue(held)) return;
    this.#renewSoon().catch(() => {}); // the failure is reported, and the old secret is used until it expires
  }

  reload(): void {
    // The failure is reported, and the old secret is used.
    if (this.#held?.expiresAt === null) this.#renewSoon().catch(() => {});
  }

  state(): CredentialState {
    const { kind } = this.#parts;
    const source = this.#failure?.source ?? this.#held?.source ?? null;
    return {
      kind,
      source,
      expiresAt: this.#held?.expiresAt ?? null,
      refreshedAt: this.#held?.fetchedAt ?? null,
      error: this.#failure?.message ?? null,
    };
  }

  secrets(): readonly string[] {
    return [...this.#parts.fixedSecrets, ...this.#former, ...textsOf(this.#held?.secret)];
  }

  #isExpired({ expiresAt, fetchedAt }: HeldSecret): boolean {
    if (expiresAt === null) return false;
    return this.#parts.now() >= (expiresAt > fetchedAt ? expiresAt : fetchedAt + SERVES_EXPIRED_MS);
  }

  #isDue({ expiresAt, fetchedAt, renewedFrom }: HeldSecret): boolean {
    if (expiresAt === null) return false;
    const now = this.#parts.now();
    const aheadMs = Math.min(Math.max((expiresAt - fetchedAt) * LEFT_SHARE, MIN_LEFT_MS), MAX_LEFT_MS);
    return now >= expiresAt - aheadMs && now >= renewedFrom;
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
    const { ask, now, recovered } = this.#parts;
    try {
      const fetched = await ask();
      const fetchedAt = now();
      const isSame = isDeepStrictEqual(fetched.secret, this.#held?.secret);
      if (!isSame) this.#former = textsOf(this.#held?.secret);
      const renewedFrom = fetchedAt + (isSame ? UNCHANGED_PAUSE_MS : BETWEEN_RENEWALS_MS);
      const secret = isSame ? this.#held!.secret : fetched.secret; // a refusal of it concerns the new one too
      this.#held = { ...fetched, secret, fetchedAt, renewedFrom };
      if (this.#failure) recovered();
      this.#failure = undefined;
      this.#failures = 0;
      return secret;
    } catch (error) {
      throw this.#noted(error);
    }
  }

  #noted(error: unknown): CredentialFailure {
    const failure =
      error instanceof CredentialFailure ? error : new CredentialFailure('unknown', 'The source failed.');
    this.#failure = failure;
    this.#notBefore = this.#parts.now() + backoffMs(this.#failures++, BACKOFF);
    this.#parts.onFailure(failure);
    return failure;
  }
}

function textsOf(secret: CloudSecret | undefined): readonly string[] {
  if (secret === undefined) return [];
  if (secret.kind === 'token') return [secret.token];
  const { accessKeyId, secretAccessKey, sessionToken } = secret.keys;
  return [accessKeyId, secretAccessKey, ...(sessionToken ? [sessionToken] : [])];
}
