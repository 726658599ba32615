import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { createPublicKey, createVerify, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '../support/call.ts';
import { rsaCertificate } from '../support/rsa-certificate.ts';
import { shareOf } from '../support/share-of.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';
import { type SeenRequest, startCloudHosts } from './start-cloud-hosts.ts';

// Stand-ins for the token services of the clouds check what they get, and a stand-in
// for the hosts checks the tokens.

const directory = mkdtempSync(join(tmpdir(), 'tollgate-clouds-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text);
  return join(directory, name);
};
const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

const seen: SeenRequest[] = [];
let tokens = 0;
let isFailing = false;
/** The time by which the server's clock is ahead, and the service's with it. */
let aheadS = 0;
/** The token that the hosts accept. */
let valid = '';
const LIFE_S = 3_600;

const nextToken = (): string => {
  tokens += 1;
  valid = `hidden-token-${tokens}-of-the-cloud`;
  return valid;
};
const oauth = (): Response =>
  Response.json({ access_token: nextToken(), expires_in: LIFE_S, token_type: 'Bearer' });
const endsAtS = (): number => Math.floor(Date.now() / 1_000) + aheadS + LIFE_S;
const imds = (): Json => ({
  access_token: nextToken(),
  expires_on: String(endsAtS()),
  resource: 'x',
});
const claimsOf = (jwt: string): Json => JSON.parse(Buffer.from(jwt.split('.')[1]!, 'base64url').toString());

const services = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const url = new URL(request.url);
    const { pathname: path, searchParams: query } = url;
    const one = { method: request.method, path, query, headers: request.headers, body: await request.text() };
    seen.push(one);
    if (isFailing)
      return Response.json({ error: 'invalid_client', error_description: 'hidden words' }, { status: 401 });
    if (path === '/computeMetadata/v1/project/project-id') return new Response('from-metadata');
    if (path.startsWith('/computeMetadata/')) return oauth();
    if (path === '/metadata/identity/oauth2/token') return Response.json(imds());
    if (path.includes('/subject')) return Response.json({ id: 'subject-token' });
    if (path.includes(':generateAccessToken'))
      return Response.json({
        accessToken: nextToken(),
        expireTime: new Date(endsAtS() * 1_000).toISOString(),
      });
    return oauth();
  },
});
const tokenUrl = `http://127.0.0.1:${services.port}`;

const calls: SeenRequest[] = [];
const hosts = startCloudHosts(calls, () => valid);
const hostUrl = `http://127.0.0.1:${hosts.port}`;
afterAll(() => {
  void services.stop(true);
  void hosts.stop(true);
  rmSync(directory, { recursive: true });
});
beforeEach(() => {
  [seen.length, calls.length, isFailing, aheadS] = [0, 0, false, 0];
});

const account = file(
  'service-account.json',
  JSON.stringify({
    type: 'service_account',
    project_id: 'our-project',
    private_key_id: 'key-1',
    private_key: privateKey,
    client_email: 'gateway@our-project.iam.gserviceaccount.com',
    token_uri: `${tokenUrl}/google/token`,
  }),
);
const federation = file(
  'federation.json',
  JSON.stringify({
    type: 'external_account',
    audience: '//iam.googleapis.com/pools/p/providers/q',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `${tokenUrl}/sts`,
    service_account_impersonation_url: `${tokenUrl}/v1/serviceAccounts/x:generateAccessToken`,
    credential_source: {
      url: `${tokenUrl}/subject`,
      headers: { 'x-own': 'yes' },
      format: { type: 'json', subject_token_field_name: 'id' },
    },
  }),
);
const user = file(
  'user.json',
  JSON.stringify({
    type: 'authorized_user',
    client_id: 'id',
    client_secret: 'hidden-user-secret',
    refresh_token: 'hidden-refresh',
    token_uri: `${tokenUrl}/google/token`,
    quota_project_id: 'users-project',
  }),
);

const google = (fields: Json) => ({
  wires: ['google-generate', 'anthropic-messages'],
  base_url: `${hostUrl}/v1`,
  google: { region: 'europe-west1', ...fields },
});
const azure = (fields: Json) => ({
  wire: 'openai-chat',
  base_url: `${hostUrl}/openai/v1`,
  azure: { tenant_id: 'our-tenant', client_id: 'our-client', ...fields },
});
const certificate = file('certificate.pem', `${rsaCertificate.key}\n${rsaCertificate.cert}\n`);

type Start = { row: Json; environment?: Record<string, string> };

async function start({ row, environment = {} }: Start) {
  const wires = row.wires ?? [row.wire];
  const server = await startServer({
    config: {
      simulator: { mode: 'off' },
      providers: [{ id: 'cloud', ...row }],
      catalog: {
        default: false,
        models: wires.map((wire: string) =>
          ableModel(wire, [{ provider: 'cloud', model: `model-of-${wire}`, wires: [wire] }]),
        ),
      },
    },
    environment: { TOLLGATE_TEST_CLOCK: '1', ...environment },
  });
  const { key } = await server.createKey('enterprise');
  const show = async () => (await server.admin('GET', '/providers/cloud')).body;
  return {
    server,
    show,
    chat: (model: string) => server.chat(key, model),
    advance: (advance_s: number) => {
      aheadS += advance_s;
      return server.admin('POST', '/test/clock', { advance_s });
    },
  };
}

type Case = {
  name: string;
  row: Json;
  environment?: Record<string, string>;
  source: string;
  checks(one: SeenRequest): void;
};

const formOf = ({ body }: SeenRequest): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(body));

const cases: Case[] = [
  {
    name: 'a service account of Google',
    row: google({ credentials_file: account }),
    source: 'service_account',
    checks(one) {
      const { grant_type, assertion } = formOf(one);
      expect({ path: one.path, grant_type }).toEqual({
        path: '/google/token',
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      });
      const [head, claims, signature] = assertion!.split('.');
      const verifier = createVerify('RSA-SHA256').update(`${head}.${claims}`);
      expect(verifier.verify(createPublicKey(publicKey), signature!, 'base64url')).toBe(true);
      expect(claimsOf(assertion!)).toMatchObject({
        iss: 'gateway@our-project.iam.gserviceaccount.com',
        aud: `${tokenUrl}/google/token`,
        scope: 'https://www.googleapis.com/auth/cloud-platform',
      });
    },
  },
  {
    name: 'application default credentials of a user',
    row: google({}),
    environment: { GOOGLE_APPLICATION_CREDENTIALS: user, GOOGLE_CLOUD_PROJECT: '' },
    source: 'authorized_user',
    checks: (one) =>
      expect(formOf(one)).toMatchObject({ grant_type: 'refresh_token', refresh_token: 'hidden-refresh' }),
  },
  {
    name: 'the metadata server of Google',
    row: google({ source: 'metadata' }),
    environment: { GCE_METADATA_HOST: `127.0.0.1:${services.port}` },
    source: 'metadata',
    checks: (one) => expect(one.headers.get('metadata-flavor')).toBe('Google'),
  },
  {
    name: 'a workload identity federation of Google',
    row: google({ credentials_file: federation, project: 'ours' }),
    source: 'external_account',
    checks(one) {
      expect({ path: one.path, own: one.headers.get('x-own') }).toEqual({ path: '/subject', own: 'yes' });
      const exchange = formOf(seen[1]!);
      expect(exchange).toMatchObject({
        subject_token: 'subject-token',
        audience: '//iam.googleapis.com/pools/p/providers/q',
      });
      expect(seen[2]!.headers.get('authorization')).toStartWith('Bearer hidden-token');
    },
  },
  {
    name: 'a client secret of Entra ID',
    row: azure({ client_secret: 'hidden-client-secret' }),
    environment: { AZURE_AUTHORITY_HOST: tokenUrl },
    source: 'client_secret',
    checks(one) {
      expect(one.path).toBe('/our-tenant/oauth2/v2.0/token');
      expect(formOf(one)).toEqual({
        grant_type: 'client_credentials',
        scope: 'https://cognitiveservices.azure.com/.default',
        client_id: 'our-client',
        client_secret: 'hidden-client-secret',
      });
    },
  },
  {
    name: 'a certificate of Entra ID',
    row: azure({ certificate_file: certificate }),
    environment: { AZURE_AUTHORITY_HOST: tokenUrl },
    source: 'client_certificate',
    checks(one) {
      const { client_assertion: jwt } = formOf(one);
      const header = JSON.parse(Buffer.from(jwt!.split('.')[0]!, 'base64url').toString());
      expect(header).toMatchObject({ alg: 'PS256', 'x5t#S256': expect.stringMatching(/^[\w-]{43}$/) });
      expect(claimsOf(jwt!)).toMatchObject({
        iss: 'our-client',
        sub: 'our-client',
        aud: `${tokenUrl}${one.path}`,
      });
    },
  },
  {
    name: 'a workload identity of Entra ID',
    row: azure({}),
    environment: {
      AZURE_AUTHORITY_HOST: tokenUrl,
      AZURE_FEDERATED_TOKEN_FILE: file('federated-token', 'token-of-the-cluster\n'),
    },
    source: 'workload_identity',
    checks: (one) => expect(formOf(one)).toMatchObject({ client_assertion: 'token-of-the-cluster' }),
  },
  {
    name: 'a managed identity of Azure',
    row: azure({}),
    environment: { AZURE_POD_IDENTITY_AUTHORITY_HOST: tokenUrl },
    source: 'managed_identity',
    checks(one) {
      expect(one.headers.get('metadata')).toBe('true');
      expect(Object.fromEntries(one.query)).toMatchObject({
        resource: 'https://cognitiveservices.azure.com',
        client_id: 'our-client',
      });
    },
  },
];

describe.each(shareOf(cases, { turn: 0, of: 3 }))('$name', ({ row, environment, source, checks }) => {
  test('gives a token, which is renewed before it expires and once the host refuses it, and serves while renewals fail', async () => {
    const { server, show, chat, advance } = await start({ row, ...(environment && { environment }) });
    const [model] = row.wires ?? [row.wire];
    try {
      const first = await chat(model);
      expect(first.status, first.text).toBe(200);
      checks(seen[0]!);
      expect((await show()).credential).toMatchObject({
        source,
        error: null,
        expires_at: expect.any(String),
      });
      const asked = seen.length;
      await Promise.all([chat(model), chat(model), chat(model)]);
      expect(seen.length).toBe(asked);
      // The host no longer takes the token.
      valid = 'another';
      expect((await chat(model)).status).toBe(200);
      expect(seen.length).toBe(2 * asked);
      const { expires_at } = (await show()).credential;
      await advance(LIFE_S - 200);
      expect((await chat(model)).status).toBe(200);
      // The clock moves on only when the new token has arrived, since it counts from then.
      await waitFor(async () => (await show()).credential.expires_at !== expires_at);
      expect(seen.length).toBe(3 * asked);
      // The source fails from shortly before the end of the token, over its end.
      isFailing = true;
      await advance(LIFE_S - 60);
      expect((await chat(model)).status).toBe(200);
      await waitFor(async () => (await show()).credential.error !== null);
      expect((await chat(model)).status).toBe(200);
      await advance(60);
      expect((await chat(model)).status).toBe(503);
      isFailing = false;
      await waitFor(async () => (await chat(model)).status === 200);
      expect((await show()).credential.error).toBeNull();
    } finally {
      await server.stop();
    }
    expect(server.log()).not.toContain('hidden');
  }, 30_000);
});

test('requests move on from a provider whose source fails, and the log, the provider and the alert name the source', async () => {
  isFailing = true;
  const row = azure({ client_secret: 'hidden-client-secret' });
  const { server, show, chat } = await start({ row, environment: { AZURE_AUTHORITY_HOST: tokenUrl } });
  try {
    const refused = await chat('openai-chat');
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'upstream_unavailable' } } });
    expect(calls).toEqual([]);
    const reason = `127.0.0.1:${services.port} answered 401 (invalid_client)`;
    expect((await show()).credential).toMatchObject({
      kind: 'azure',
      source: 'client_secret',
      error: reason,
    });
    await waitFor(() => server.log().includes('"event":"credential-failed"'));
    const alerts = async () => (await server.admin('GET', '/alerts')).body.data;
    await waitFor(async () => (await alerts()).some(({ event }: Json) => event === 'credential_failing'));
    const doctor = (await server.admin('POST', '/doctor/live')).body;
    expect(JSON.stringify(doctor)).toContain('the source client_secret failed');
    isFailing = false;
    await waitFor(async () => (await chat('openai-chat')).status === 200);
    expect((await show()).credential.error).toBeNull();
    expect(JSON.stringify((await server.admin('POST', '/doctor/live')).body)).toContain(
      'cloud accepts its key',
    );
  } finally {
    await server.stop();
  }
  expect(server.log() + server.errors()).not.toContain('hidden');
}, 30_000);

test('Vertex AI gets the model in the path, and the version of the messages protocol in the body', async () => {
  const { server, chat } = await start({ row: google({ credentials_file: account }) });
  try {
    expect((await chat('google-generate')).status).toBe(200);
    expect((await chat('anthropic-messages')).status).toBe(200);
  } finally {
    await server.stop();
  }
  const place = '/v1/projects/our-project/locations/europe-west1/publishers';
  expect(calls.map(({ path }) => path)).toEqual([
    `${place}/google/models/model-of-google-generate:generateContent`,
    `${place}/anthropic/models/model-of-anthropic-messages:rawPredict`,
  ]);
  const body = JSON.parse(calls[1]!.body);
  expect({ model: body.model, anthropic_version: body.anthropic_version }).toEqual({
    model: undefined,
    anthropic_version: 'vertex-2023-10-16',
  });
});
