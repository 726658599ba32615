import type { CloudSecret, ProviderCredential } from '../../settings/hosts/provider-credential.ts';

type Attempt<T> = {
  send(secret: CloudSecret): Promise<T>;
  /** Reports whether the host has refused the secret. */
  isRefused(answer: T): boolean;
  /** Releases an answer that a repeated request replaces. */
  discard?(answer: T): Promise<void> | undefined;
};

/** The statuses with which hosts refuse a secret. */
export const REFUSED = new Set<number | undefined>([401, 403]);

/**
 * Sends a request with the secret of a credential. If the host refuses the secret, it is renewed once, and
 * the request is repeated once. Rejects with a `CredentialFailure` if there is no secret.
 */
export async function withRenewal<T>(credential: ProviderCredential, attempt: Attempt<T>): Promise<T> {
  const secret = await credential.current();
  const answer = await attempt.send(secret);
  if (!attempt.isRefused(answer)) return answer;
  const newSecret = await credential.renew(secret);
  if (newSecret === undefined) return answer;
  await attempt.discard?.(answer);
  const newAnswer = await attempt.send(newSecret);
  if (attempt.isRefused(newAnswer)) credential.renewedInVain();
  return newAnswer;
}
