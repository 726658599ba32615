import { createHash, X509Certificate } from 'node:crypto';
import type { AzurePlan } from '../../settings/hosts/cloud-plan.ts';
import { CredentialFailure } from '../../settings/hosts/provider-credential.ts';
import { askTokenService, oauthForm } from './ask-token-service.ts';
import type { FetchedSecret, FetchSecret, SourceClock } from './fetched-secret.ts';
import { lastSource } from './last-source.ts';
import { readSecretFile } from './read-secret-file.ts';
import { tokenIn } from './read-token-answer.ts';
import { signPs256 } from './sign-assertion.ts';

const AUTHORITY = 'https://login.microsoftonline.com';
const METADATA = 'http://169.254.169.254';
const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const ASSERTION_LIFE_S = 600;
const METADATA_TIMEOUT_MS = 3_000;
const MS = 1_000;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]+?-----END [A-Z ]*PRIVATE KEY-----/;

type NamedAzureSource = Exclude<AzurePlan['source'], 'auto'>;
type Fetch = (plan: AzurePlan, clock: SourceClock) => Promise<FetchedSecret>;

/** The settings of the sources before the managed identity. */
const OTHERS = 'set AZURE_CLIENT_SECRET, AZURE_CLIENT_CERTIFICATE_PATH or AZURE_FEDERATED_TOKEN_FILE';

/** Fetches tokens of Microsoft Entra ID. `auto` takes the first source that is set up. */
export function azureSources(plan: AzurePlan, clock: SourceClock): FetchSecret {
  const source = plan.source === 'auto' ? firstSetUp(plan) : plan.source;
  const isLast = plan.source === 'auto' && source === 'managed_identity';
  return () => (isLast ? lastSource(managedIdentity(plan, clock), OTHERS) : sources[source](plan, clock));
}

function firstSetUp({ clientSecret, certificateFile, environment }: AzurePlan): NamedAzureSource {
  if (clientSecret !== null) return 'client_secret';
  if (certificateFile !== null) return 'client_certificate';
  return environment.AZURE_FEDERATED_TOKEN_FILE === undefined ? 'managed_identity' : 'workload_identity';
}

const sources: Readonly<Record<NamedAzureSource, Fetch>> = {
  client_secret: (plan, clock) =>
    requestGrant(plan, clock, {
      source: 'client_secret',
      fields: () => ({ client_secret: required(plan.clientSecret, 'client_secret', 'client_secret') }),
    }),
  client_certificate: (plan, clock) =>
    requestGrant(plan, clock, {
      source: 'client_certificate',
      fields: (url) => certificateFields(plan, { audience: url, clock }),
    }),
  workload_identity: (plan, clock) =>
    requestGrant(plan, clock, { source: 'workload_identity', fields: () => federatedFields(plan) }),
  managed_identity: managedIdentity,
};

/** The settings by their names, as messages name them. */
const settings = {
  tenant_id: 'azure.tenant_id or AZURE_TENANT_ID',
  client_id: 'azure.client_id or AZURE_CLIENT_ID',
  client_secret: 'azure.client_secret or AZURE_CLIENT_SECRET',
  certificate_file: 'azure.certificate_file or AZURE_CLIENT_CERTIFICATE_PATH',
  federated_token_file: 'AZURE_FEDERATED_TOKEN_FILE',
} as const;

function required(value: string | null | undefined, name: keyof typeof settings, source: string): string {
  if (value) return value;
  throw new CredentialFailure(source, `set ${settings[name]}`);
}

type FormFields = Readonly<Record<string, string>>;
type Grant = { source: NamedAzureSource; fields(url: string): FormFields | Promise<FormFields> };

/** Requests a grant: https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow */
async function requestGrant(
  plan: AzurePlan,
  { now }: SourceClock,
  { source, fields }: Grant,
): Promise<FetchedSecret> {
  const authority = (plan.environment.AZURE_AUTHORITY_HOST ?? AUTHORITY).replace(/\/+$/, '');
  const host = authority.includes('://') ? authority : `https://${authority}`;
  const tenant = required(plan.tenantId, 'tenant_id', source);
  const url = `${host}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`;
  const form = oauthForm({
    grant_type: 'client_credentials',
    scope: plan.scope,
    client_id: required(plan.clientId, 'client_id', source),
    ...(await fields(url)),
  });
  const { token, expiresAt } = tokenIn(await askTokenService({ source, url, ...form }), source, now());
  return { secret: { kind: 'token', token, project: null }, source, expiresAt };
}

/** Proves the identity with an assertion that the key of its certificate signs. */
async function certificateFields(
  plan: AzurePlan,
  { audience, clock }: { audience: string; clock: SourceClock },
): Promise<FormFields> {
  const source = 'client_certificate';
  const file = required(plan.certificateFile, 'certificate_file', source);
  const pem = await readSecretFile(file, source);
  const issuedAt = Math.floor(clock.wall() / MS);
  const id = required(plan.clientId, 'client_id', source);
  try {
    const thumbprint = createHash('sha256').update(new X509Certificate(pem).raw).digest('base64url');
    const client_assertion = signPs256({
      header: { 'x5t#S256': thumbprint },
      claims: {
        aud: audience,
        iss: id,
        sub: id,
        jti: crypto.randomUUID(),
        nbf: issuedAt,
        iat: issuedAt,
        exp: issuedAt + ASSERTION_LIFE_S,
      },
      privateKey: PRIVATE_KEY.exec(pem)?.[0] ?? '',
    });
    return { client_assertion_type: ASSERTION, client_assertion };
  } catch {
    throw new CredentialFailure(source, `${file} must have a certificate and an unencrypted RSA key in PEM`);
  }
}

/** Proves the identity with the token of another identity provider. */
async function federatedFields({ environment }: AzurePlan): Promise<FormFields> {
  const source = 'workload_identity';
  const file = required(environment.AZURE_FEDERATED_TOKEN_FILE, 'federated_token_file', source);
  return { client_assertion_type: ASSERTION, client_assertion: (await readSecretFile(file, source)).trim() };
}

/** App Service gives an address and a secret header. Virtual machines have the metadata server. */
async function managedIdentity(plan: AzurePlan, { now }: SourceClock): Promise<FetchedSecret> {
  const source = 'managed_identity';
  const { IDENTITY_ENDPOINT: endpoint, IDENTITY_HEADER: header } = plan.environment;
  const resource = plan.scope.replace(/\/\.default$/, '');
  const query = new URLSearchParams({
    'api-version': endpoint && header ? '2019-08-01' : '2018-02-01',
    resource,
    ...(plan.clientId !== null && { client_id: plan.clientId }),
  });
  const metadata = plan.environment.AZURE_POD_IDENTITY_AUTHORITY_HOST ?? METADATA;
  const place =
    endpoint && header
      ? { url: `${endpoint}?${query}`, headers: { 'x-identity-header': header } }
      : {
          url: `${metadata.replace(/\/+$/, '')}/metadata/identity/oauth2/token?${query}`,
          headers: { metadata: 'true' },
        };
  const text = await askTokenService({
    source,
    ...place,
    kind: 'local',
    timeoutMs: METADATA_TIMEOUT_MS,
  });
  const { token, expiresAt } = tokenIn(text, source, now());
  return { secret: { kind: 'token', token, project: null }, source, expiresAt };
}
