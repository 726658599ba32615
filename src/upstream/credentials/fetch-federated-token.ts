import { objectOf, textOf } from '../../base/json/read-json.ts';
import { CredentialFailure } from '../../settings/hosts/provider-credential.ts';
import { askTokenService, oauthForm } from './ask-token-service.ts';
import { CLOUD_SCOPE } from './cloud-scope.ts';
import type { SourceClock } from './fetched-secret.ts';
import { readSecretFile } from './read-secret-file.ts';
import { type FetchedToken, readObject, requiredText, tokenIn } from './read-token-answer.ts';

const SOURCE = 'external_account';
const STS = 'https://sts.googleapis.com/v1/token';
const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const LIFE_S = 3_600;

type CredentialFile = Record<string, unknown>;

/**
 * Exchanges the token of another identity provider (workload identity federation), and impersonates a service
 * account if the file says so.
 */
export async function fetchFederatedToken(file: CredentialFile, { now }: SourceClock): Promise<FetchedToken> {
  const form = oauthForm({
    grant_type: GRANT,
    audience: requiredText(file, 'audience', SOURCE),
    scope: CLOUD_SCOPE,
    requested_token_type: ACCESS_TOKEN,
    subject_token_type: requiredText(file, 'subject_token_type', SOURCE),
    subject_token: await subjectToken(file),
  });
  const url = textOf(file.token_url) ?? STS;
  const exchanged = tokenIn(await askTokenService({ source: SOURCE, url, ...form }), SOURCE, now());
  const impersonation = textOf(file.service_account_impersonation_url);
  return impersonation === undefined ? exchanged : impersonate(impersonation, exchanged.token, file);
}

/** Exchanges the token for one of a service account. */
async function impersonate(url: string, token: string, file: CredentialFile): Promise<FetchedToken> {
  const { token_lifetime_seconds: lifeSeconds } = objectOf(file.service_account_impersonation);
  const text = await askTokenService({
    source: SOURCE,
    url,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      scope: [CLOUD_SCOPE],
      lifetime: `${typeof lifeSeconds === 'number' ? lifeSeconds : LIFE_S}s`,
    }),
  });
  const answer = readObject(text, SOURCE);
  const expiresAt = Date.parse(requiredText(answer, 'expireTime', SOURCE));
  if (Number.isNaN(expiresAt)) throw new CredentialFailure(SOURCE, 'expireTime is not a time');
  return { token: requiredText(answer, 'accessToken', SOURCE), expiresAt };
}

/** Returns the token of the other identity provider, from where the file says. */
async function subjectToken({ credential_source }: CredentialFile): Promise<string> {
  const source = objectOf(credential_source);
  const { file, url, headers, format, environment_id } = source;
  if (typeof file === 'string') return tokenOf(await readSecretFile(file, SOURCE), format);
  if (typeof url === 'string' && environment_id === undefined)
    return tokenOf(await askIdentityService(url, headers), format);
  throw new CredentialFailure(
    SOURCE,
    `the credential_source must be a file or a URL; it is ${unsupportedKind(source)}`,
  );
}

function askIdentityService(url: string, headers: unknown): Promise<string> {
  const texts = Object.entries(objectOf(headers)).filter(
    (header): header is [string, string] => typeof header[1] === 'string',
  );
  return askTokenService({
    source: SOURCE,
    url,
    kind: 'metadata', // identity services of other clouds speak plain HTTP
    headers: Object.fromEntries(texts),
  });
}

/** Names a kind of source that the gateway does not read. */
function unsupportedKind({ environment_id, executable }: Record<string, unknown>): string {
  if (environment_id !== undefined) return 'AWS';
  return executable ? 'an executable' : 'none';
}

/** A source gives the token as it is, or in a field of a JSON object. */
function tokenOf(text: string, format: unknown): string {
  const { type, subject_token_field_name: field } = objectOf(format);
  return type === 'json' ? requiredText(readObject(text, SOURCE), textOf(field) ?? '', SOURCE) : text.trim();
}
