import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { AwsCredentials } from './aws-credentials.ts';
import type { CloudPlan } from './cloud-plan.ts';

/**
 * Authorizes a call to a cloud: a bearer token, or keys that sign each request. `quotaProject`: the project
 * of Google Cloud whose quota the calls of a user count against.
 */
export type CloudSecret =
  | { kind: 'token'; token: string; project: string | null; quotaProject?: string }
  | { kind: 'keys'; keys: AwsCredentials };

/** `source`: the source that gave the current secret, or the one that failed last. */
export type CredentialState = {
  kind: CloudPlan['kind'];
  source: string | null;
  expiresAt: number | null;
  refreshedAt: number | null;
  /** The reason why the latest renewal failed. `null` means that it succeeded. */
  error: string | null;
};

/** The credential of a provider in a cloud. Its secret is renewed before it expires. */
export interface ProviderCredential {
  /** Returns the secret. Rejects with a `CredentialFailure` if there is none. */
  current(): MaybeLater<CloudSecret>;
  /**
   * Renews a secret that the host has refused, unless it was renewed meanwhile. Returns undefined if there is
   * no newer one.
   */
  renew(refused: CloudSecret): Promise<CloudSecret | undefined>;
  /** The host has refused the renewed secret too, so that the next renewals for a refusal wait. */
  renewedInVain(): void;
  /** Begins a renewal in the background if the secret expires soon. */
  refreshIfDue(): void;
  /**
   * The settings were read again: a secret that never expires is read again too, since its file can have
   * changed.
   */
  reload(): void;
  state(): CredentialState;
  /** Returns the texts that no message may quote. */
  secrets(): readonly string[];
}

/**
 * Creates the credential of a provider, or returns the existing one of the same settings, which providers can
 * share.
 */
export type CredentialFactory = (providerId: string, plan: CloudPlan) => ProviderCredential;

/** A source gave no secret. The message names the source and contains no secret. */
export class CredentialFailure extends Error {
  readonly source: string;

  constructor(source: string, reason: string) {
    super(reason);
    this.source = source;
  }
}
