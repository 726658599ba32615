import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../../base/json/read-json.ts';
import { lookUp } from '../../base/lib/records.ts';
import type { GooglePlan } from '../../settings/hosts/cloud-plan.ts';
import { CredentialFailure } from '../../settings/hosts/provider-credential.ts';
import { askTokenService, oauthForm } from './ask-token-service.ts';
import { CLOUD_SCOPE } from './cloud-scope.ts';
import { fetchFederatedToken } from './fetch-federated-token.ts';
import type { FetchedSecret, FetchSecret, SourceClock } from './fetched-secret.ts';
import { lastSource } from './last-source.ts';
import { readSecretFile } from './read-secret-file.ts';
import { type FetchedToken, readObject, requiredText, tokenIn } from './read-token-answer.ts';
import { type Assertion, signRs256 } from './sign-assertion.ts';

const OAUTH = 'https://oauth2.googleapis.com/token';
const HOUR_S = 3_600;
const MS = 1_000;
const METADATA_TIMEOUT_MS = 3_000;

type CredentialFile = Record<string, unknown>;

/** Fetches tokens of Google Cloud: from a file, or from the metadata server. */
export function googleSources(plan: GooglePlan, clock: SourceClock): FetchSecret {
  return async () => {
    const file = plan.source === 'metadata' ? undefined : fileOf(plan);
    if (file !== undefined) return fromFile(plan, file, clock);
    if (plan.source === 'file')
      throw new CredentialFailure('file', 'set google.credentials_file or GOOGLE_APPLICATION_CREDENTIALS');
    const metadata = fromMetadata(plan, clock);
    return plan.source === 'auto' ? lastSource(metadata, OTHERS) : metadata;
  };
}

/** The settings of the sources before the metadata server. */
const OTHERS =
  'set google.credentials_file or GOOGLE_APPLICATION_CREDENTIALS, or run gcloud auth application-default login';

/**
 * Returns the file that the settings name, the file that the variable names, or the file that `gcloud auth
 * application-default login` writes.
 */
function fileOf({ credentialsFile, environment }: GooglePlan): string | undefined {
  const configured = credentialsFile ?? environment.GOOGLE_APPLICATION_CREDENTIALS;
  if (configured !== undefined) return configured;
  const { CLOUDSDK_CONFIG: folder, HOME: home } = environment;
  const usual = folder ?? (home === undefined ? undefined : join(home, '.config', 'gcloud'));
  const file = usual && join(usual, 'application_default_credentials.json');
  return file && existsSync(file) ? file : undefined;
}

async function fromFile(plan: GooglePlan, file: string, clock: SourceClock): Promise<FetchedSecret> {
  const content = readObject(await readSecretFile(file, 'file'), 'file');
  const type = typeof content.type === 'string' ? content.type : 'none';
  const fetchToken = lookUp(fileTypes, type);
  if (fetchToken === undefined)
    throw new CredentialFailure(
      'file',
      `${file} has the type ${type}; use ${Object.keys(fileTypes).join(', ')}`,
    );
  const { token, expiresAt } = await fetchToken(content, clock);
  const quotaOfFile = type === 'service_account' ? undefined : textOf(content.quota_project_id);
  const quotaProject = plan.environment.GOOGLE_CLOUD_QUOTA_PROJECT ?? quotaOfFile;
  const project = projectOf(plan.project ?? textOf(content.project_id) ?? quotaOfFile ?? null, type);
  return {
    secret: { kind: 'token', token, project, ...(quotaProject && { quotaProject }) },
    source: type,
    expiresAt,
  };
}

function projectOf(project: string | null, source: string): string {
  if (project !== null) return project;
  throw new CredentialFailure(source, 'the project is not known: set google.project or GOOGLE_CLOUD_PROJECT');
}

type FetchToken = (file: CredentialFile, clock: SourceClock) => Promise<FetchedToken>;

/** The ways to a token, by the type of the credentials file. */
const fileTypes: Readonly<Record<string, FetchToken>> = {
  service_account: fromServiceAccount,
  authorized_user: fromUser,
  external_account: fetchFederatedToken,
};

/**
 * Fetches a token for a service account:
 * https://developers.google.com/identity/protocols/oauth2/service-account
 */
async function fromServiceAccount(file: CredentialFile, { now, wall }: SourceClock): Promise<FetchedToken> {
  const source = 'service_account';
  const url = typeof file.token_uri === 'string' ? file.token_uri : OAUTH;
  const issuedAt = Math.floor(wall() / MS);
  const assertion = signAssertion({
    header: typeof file.private_key_id === 'string' ? { kid: file.private_key_id } : {},
    claims: {
      iss: requiredText(file, 'client_email', source),
      scope: CLOUD_SCOPE,
      aud: url,
      iat: issuedAt,
      exp: issuedAt + HOUR_S,
    },
    privateKey: requiredText(file, 'private_key', source),
  });
  const form = oauthForm({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion });
  return tokenIn(await askTokenService({ source, url, ...form }), source, now());
}

function signAssertion(assertion: Assertion): string {
  try {
    return signRs256(assertion);
  } catch {
    throw new CredentialFailure('service_account', 'private_key is no RSA key in PEM');
  }
}

/** Fetches a token for a person who has signed in with `gcloud`. */
async function fromUser(file: CredentialFile, { now }: SourceClock): Promise<FetchedToken> {
  const source = 'authorized_user';
  const url = typeof file.token_uri === 'string' ? file.token_uri : OAUTH;
  const form = oauthForm({
    grant_type: 'refresh_token',
    refresh_token: requiredText(file, 'refresh_token', source),
    client_id: requiredText(file, 'client_id', source),
    client_secret: requiredText(file, 'client_secret', source),
  });
  return tokenIn(await askTokenService({ source, url, ...form }), source, now());
}

/** Fetches a token from the metadata server: https://cloud.google.com/compute/docs/metadata/overview */
async function fromMetadata(plan: GooglePlan, { now }: SourceClock): Promise<FetchedSecret> {
  const source = 'metadata';
  const base = `http://${plan.environment.GCE_METADATA_HOST ?? 'metadata.google.internal'}/computeMetadata/v1`;
  const ask = (path: string): Promise<string> =>
    askTokenService({
      source,
      url: `${base}/${path}`,
      headers: { 'metadata-flavor': 'Google' },
      kind: 'local',
      timeoutMs: METADATA_TIMEOUT_MS,
    });
  const text = await ask(`instance/service-accounts/default/token?scopes=${encodeURIComponent(CLOUD_SCOPE)}`);
  const { token, expiresAt } = tokenIn(text, source, now());
  const project = plan.project ?? (await ask('project/project-id')).trim();
  return { secret: { kind: 'token', token, project }, source, expiresAt };
}
