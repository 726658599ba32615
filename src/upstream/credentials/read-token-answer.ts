import { isObject } from '../../base/lib/is-object.ts';
import { CredentialFailure } from '../../settings/hosts/provider-credential.ts';

const MS = 1_000;

/** A token, and the end of its life in Unix milliseconds. */
export type FetchedToken = { token: string; expiresAt: number };

/** Reads a JSON object. The text is never quoted. */
export function readObject(text: string, source: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // The text is not JSON at all, which is the same failure.
  }
  throw new CredentialFailure(source, 'the answer or the file is not a JSON object');
}

/** Returns a text of an object. Throws if it is missing or empty. */
export function requiredText(object: Record<string, unknown>, name: string, source: string): string {
  const value = object[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new CredentialFailure(source, `${name} is missing`);
}

/**
 * Reads the token of an OAuth answer. Its life is in seconds, as a number or a text. The end of its life is
 * on the clock of the service, which may differ, and counts if the answer has no life.
 */
export function tokenIn(text: string, source: string, now: number): FetchedToken {
  const answer = readObject(text, source);
  const lifeSeconds = secondsIn(answer.expires_in);
  const endSeconds = secondsIn(answer.expires_on);
  const expiresAt = lifeSeconds === undefined ? endSeconds && endSeconds * MS : now + lifeSeconds * MS;
  if (expiresAt === undefined) throw new CredentialFailure(source, 'expires_in is missing');
  return { token: requiredText(answer, 'access_token', source), expiresAt };
}

function secondsIn(value: unknown): number | undefined {
  const seconds = value === '' || value === null ? Number.NaN : Number(value);
  return Number.isFinite(seconds) ? seconds : undefined;
}
