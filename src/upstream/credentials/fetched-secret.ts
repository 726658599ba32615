import type { CloudSecret } from '../../settings/hosts/provider-credential.ts';

/** The secret that a source gave. `expiresAt`: Unix milliseconds, or null if the secret does not expire. */
export type FetchedSecret = { secret: CloudSecret; source: string; expiresAt: number | null };

/**
 * `wall` dates what is signed, since others compare it with their clocks. `now` is the server's clock, by
 * which secrets expire.
 */
export type SourceClock = { now(): number; wall(): number };

/** Asks the sources of a credential in their order. Rejects with a `CredentialFailure`. */
export type FetchSecret = () => Promise<FetchedSecret>;
