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
  const code =
    /\bAADSTS\d{1,10}/.exec(text)?.[0] ??
    /"error"\s*:\s*"([a-z_]{1,60})"/.exec(text)?.[1] ??
    /<Code>([A-Za-z]{1,60})<\/Code>/.exec(text)?.[1] ??
    /"status"\s*:\s*"([A-Z_]{1,60})"/.exec(text)?.[1];
  return code === undefined ? '' : ` (${code})`;
}

/** Returns the form of an OAuth request. */
export const oauthForm = (fields: Readonly<Record<string, string>>) => ({
  method: 'POST' as const,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});
