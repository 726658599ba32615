import { readFile } from 'node:fs/promises';
import { isLoopback } from '../../base/lib/host-name.ts';
import { type PlainRequest, sendPlain } from '../../base/lib/send-plain.ts';
import { CredentialFailure } from '../../settings/hosts/provider-credential.ts';

const TIMEOUT_MS = 10_000;
/** No answer of a token service is as long. */
const MOST_CHARACTERS = 200_000;

export type TokenRequest = Omit<PlainRequest, 'signal'> & {
  /** The name of the source in messages. */
  source: string;
  timeoutMs?: number;
  /** The service is a metadata server or a container's own, which speaks plain HTTP. */
  isLocalService?: boolean;
};

/** Asks a token service. The answer's text is never quoted, since it can hold a secret. */
export async function askTokenService({
  source,
  timeoutMs = TIMEOUT_MS,
  isLocalService = false,
  ...request
}: TokenRequest): Promise<string> {
  const { hostname, protocol, host } = urlOf(request.url, source);
  if (protocol !== 'https:' && !(protocol === 'http:' && (isLocalService || isLoopback(hostname))))
    throw new CredentialFailure(source, `${host} must be reached with https`);
  const response = await sendPlain({ ...request, signal: AbortSignal.timeout(timeoutMs) }).catch((error) => {
    const isLate = (error as Error).name === 'TimeoutError';
    throw new CredentialFailure(source, `${host} ${isLate ? 'did not answer in time' : 'cannot be reached'}`);
  });
  const text = await response.text().catch(() => '');
  if (!response.ok) throw new CredentialFailure(source, `${host} answered ${response.status}${codeIn(text)}`);
  if (text.length > MOST_CHARACTERS) throw new CredentialFailure(source, `${host} answered too much`);
  return text;
}

/** The code of an OAuth error or of an error of AWS. */
function codeIn(text: string): string {
  const found =
    /"error"\s*:\s*"([a-z_]{1,60})"/.exec(text)?.[1] ??
    /<Code>([A-Za-z]{1,60})<\/Code>/.exec(text)?.[1] ??
    /"status"\s*:\s*"([A-Z_]{1,60})"/.exec(text)?.[1];
  return found === undefined ? '' : ` (${found})`;
}

function urlOf(url: string, source: string): URL {
  const parsed = URL.parse(url);
  if (parsed === null) throw new CredentialFailure(source, 'the address of the token service is not a URL');
  return parsed;
}

/** Reads a JSON object. The text is never quoted. */
export function readObject(text: string, source: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === 'object' && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {}
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
    const { code } = error as NodeJS.ErrnoException;
    throw new CredentialFailure(source, `${file} ${code === 'ENOENT' ? 'does not exist' : 'cannot be read'}`);
  }
}

const MS = 1_000;

/** Reads the token of an OAuth answer. Its life is in seconds, as a number or a text. */
export function tokenIn(text: string, source: string, now: number) {
  const answer = readObject(text, source);
  const life = Number(answer.expires_in ?? Number.NaN);
  const on = Number(answer.expires_on ?? Number.NaN);
  const expiresAt = Number.isFinite(on) ? on * MS : now + life * MS;
  if (!Number.isFinite(expiresAt)) throw new CredentialFailure(source, 'expires_in is missing');
  return { token: textIn(answer, 'access_token', source), expiresAt };
}

/** The form of an OAuth request. */
export const formOf = (fields: Readonly<Record<string, string>>) => ({
  method: 'POST' as const,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});
