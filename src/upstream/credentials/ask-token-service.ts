import { readFile } from 'node:fs/promises';
import { codeOfError } from '../../base/lib/error-code.ts';
import { isObject } from '../../base/lib/is-object.ts';
import { readStart } from '../../base/lib/read-start.ts';
import { type PlainRequest, sendPlain } from '../../base/lib/send-plain.ts';
import { CredentialFailure } from '../../settings/hosts/provider-credential.ts';
import { checkedAddress, type TokenServiceKind } from './token-address.ts';

const TIMEOUT_MS = 10_000;
/** No answer of a token service is as long. */
const MAX_BYTES = 200_000;

export type TokenRequest = Omit<PlainRequest, 'signal' | 'isDirect'> & {
  /** The name of the source in messages. */
  source: string;
  timeoutMs?: number;
  /** Default: a token service. */
  kind?: TokenServiceKind;
};

/** Asks a token service. The answer's text is never quoted, since it can hold a secret. */
export async function askTokenService({
  source,
  timeoutMs = TIMEOUT_MS,
  kind = 'service',
  ...request
}: TokenRequest): Promise<string> {
  const { host, isDirect } = checkedAddress(request.url, source, kind);
  try {
    const response = await sendPlain({ ...request, isDirect, signal: AbortSignal.timeout(timeoutMs) });
    const { text, isCut } = await readStart(response, MAX_BYTES);
    if (!response.ok)
      throw new CredentialFailure(source, `${host} answered ${response.status}${codeIn(text)}`);
    if (isCut) throw new CredentialFailure(source, `${host} answered too much`);
    return text;
  } catch (error) {
    if (error instanceof CredentialFailure) throw error;
    const isLate = (error as Error).name === 'TimeoutError';
    throw new CredentialFailure(source, `${host} ${isLate ? 'did not answer in time' : 'cannot be reached'}`);
  }
}

/** Returns the code of an OAuth error or of an error of AWS. */
function codeIn(text: string): string {
  const found =
    /\bAADSTS\d{1,10}/.exec(text)?.[0] ??
    /"error"\s*:\s*"([a-z_]{1,60})"/.exec(text)?.[1] ??
    /<Code>([A-Za-z]{1,60})<\/Code>/.exec(text)?.[1] ??
    /"status"\s*:\s*"([A-Z_]{1,60})"/.exec(text)?.[1];
  return found === undefined ? '' : ` (${found})`;
}

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

export function textIn(object: Record<string, unknown>, name: string, source: string): string {
  const value = object[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new CredentialFailure(source, `${name} is missing`);
}

export async function readSecretFile(file: string, source: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const what = codeOfError(error) === 'ENOENT' ? 'does not exist' : 'cannot be read';
    throw new CredentialFailure(source, `${file} ${what}`);
  }
}

const MS = 1_000;

/**
 * Reads the token of an OAuth answer. Its life is in seconds, as a number or a text. The end of its life is
 * on the clock of the service, which may differ, and counts if the answer has no life.
 */
export function tokenIn(text: string, source: string, now: number) {
  const answer = readObject(text, source);
  const lifeSeconds = secondsIn(answer.expires_in);
  const endSeconds = secondsIn(answer.expires_on);
  const expiresAt = lifeSeconds === undefined ? endSeconds && endSeconds * MS : now + lifeSeconds * MS;
  if (expiresAt === undefined) throw new CredentialFailure(source, 'expires_in is missing');
  return { token: textIn(answer, 'access_token', source), expiresAt };
}

function secondsIn(value: unknown): number | undefined {
  const seconds = value === '' || value === null ? Number.NaN : Number(value);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** Returns the form of an OAuth request. */
export const formOf = (fields: Readonly<Record<string, string>>) => ({
  method: 'POST' as const,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});
