import { objectOf, textOf } from '../../base/json/read-json.ts';
import { CredentialFailure } from '../../settings/hosts/provider-credential.ts';
import { askTokenService, formOf, readObject, readSecretFile, textIn, tokenIn } from './ask-token-service.ts';
import type { SourceClock } from './fetched-secret.ts';

const SOURCE = 'external_account';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const STS = 'https://sts.googleapis.com/v1/token';
const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const LIFE_S = 3_600;

type File = Record<string, unknown>;

/**
 * Exchanges the token of another identity provider (workload identity federation), and impersonates a
 * service account if the file says so.
 */
export async function fetchFederatedToken(
  file: File,
  { now }: SourceClock,
): Promise<{ token: string; expiresAt: number }> {
  const form = formOf({
    grant_type: GRANT,
    audience: textIn(file, 'audience', SOURCE),
    scope: SCOPE,
    requested_token_type: ACCESS_TOKEN,
    subject_token_type: textIn(file, 'subject_token_type', SOURCE),
    subject_token: await subjectToken(file),
  });
  const url = textOf(file.token_url) ?? STS;
  const exchanged = tokenIn(await askTokenService({ source: SOURCE, url, ...form }), SOURCE, now());
  const impersonation = textOf(file.service_account_impersonation_url);
  return impersonation === undefined ? exchanged : impersonate(impersonation, exchanged.token, file);
}

async function impersonate(url: string, token: string, file: File) {
  const { token_lifetime_seconds: life } = objectOf(file.service_account_impersonation);
  const text = await askTokenService({
    source: SOURCE,
    url,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ scope: [SCOPE], lifetime: `${typeof life === 'number' ? life : LIFE_S}s` }),
  });
  const answer = readObject(text, SOURCE);
  const expiresAt = Date.parse(textIn(answer, 'expireTime', SOURCE));
  if (Number.isNaN(expiresAt)) throw new CredentialFailure(SOURCE, 'expireTime is not a time');
  return { token: textIn(answer, 'accessToken', SOURCE), expiresAt };
}

async function subjectToken(file: File): Promise<string> {
  const { file: path, url, headers, format, ...others } = objectOf(file.credential_source);
  if (typeof path === 'string') return tokenOf(await readSecretFile(path, SOURCE), format);
  if (typeof url === 'string' && others.environment_id === undefined) {
    const texts = Object.entries(objectOf(headers)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return tokenOf(
      await askTokenService({
        source: SOURCE,
        url,
        kind: 'metadata', // identity services of other clouds speak plain HTTP
        headers: Object.fromEntries(texts),
      }),
      format,
    );
  }
  const unknown = others.executable ? 'an executable' : 'none';
  const kind = others.environment_id === undefined ? unknown : 'AWS';
  throw new CredentialFailure(SOURCE, `the credential_source must be a file or a URL; it is ${kind}`);
}

/** A source gives the token as it is, or in a field of a JSON object. */
function tokenOf(text: string, format: unknown): string {
  const { type, subject_token_field_name: field } = objectOf(format);
  return type === 'json' ? textIn(readObject(text, SOURCE), textOf(field) ?? '', SOURCE) : text.trim();
}
