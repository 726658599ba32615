import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AwsCredentials } from '../../src/settings/hosts/aws-credentials.ts';
import type { Json } from '../support/call.ts';
import { signerOf } from '../support/clouds/signer-of.ts';
import { shareOf } from '../support/share-of.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';

// Stand-ins for the services of AWS check what they get, and recompute every signature.

const directory = mkdtempSync(join(tmpdir(), 'tollgate-aws-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text);
  return join(directory, name);
};

type Seen = { method: string; path: string; headers: Headers; body: string; url: URL };
const seen: Seen[] = [];
const calls: Seen[] = [];
/** The keys that each service gave or that the settings have, by id. */
const known = new Map<string, AwsCredentials>();
let given = 0;
let accepted = '';
const LIFE_S = 3_600;
let isFailing = false;
/** The time by which the server's clock is ahead, and the service's with it. */
let aheadS = 0;

const give = (): AwsCredentials => {
  given += 1;
  const keys = {
    accessKeyId: `ASIAHIDDEN${given}`,
    secretAccessKey: `hidden-secret-${given}`,
    sessionToken: `hidden-session-${given}`,
  };
  known.set(keys.accessKeyId, keys);
  accepted = keys.accessKeyId;
  return keys;
};
const fixed: AwsCredentials = { accessKeyId: 'AKIAHIDDENFIXED', secretAccessKey: 'hidden-fixed-secret' };

const expires = (): string => new Date(Date.now() + (aheadS + LIFE_S) * 1_000).toISOString();
const asJson = ({ accessKeyId, secretAccessKey, sessionToken }: AwsCredentials) =>
  Response.json({
    AccessKeyId: accessKeyId,
    SecretAccessKey: secretAccessKey,
    Token: sessionToken,
    Expiration: expires(),
  });
const asXml = ({ accessKeyId, secretAccessKey, sessionToken }: AwsCredentials) =>
  new Response(
    `<R><Credentials><AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey>` +
      `<SessionToken>${sessionToken}</SessionToken><Expiration>${expires()}</Expiration></Credentials></R>`,
  );

const recorder = (answer: (one: Seen) => Response, list: Seen[]) =>
  Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const url = new URL(request.url);
      const one = {
        method: request.method,
        path: url.pathname,
        url,
        headers: request.headers,
        body: await request.text(),
      };
      list.push(one);
      return answer(one);
    },
  });

const ROLES = '/latest/meta-data/iam/security-credentials/';
const services = recorder((one) => {
  const { path, headers, method } = one;
  if (isFailing) return new Response('<E><Code>AccessDenied</Code>hidden-words</E>', { status: 403 });
  if (path === '/latest/api/token')
    return new Response(method === 'PUT' ? 'imds-token' : 'no', { status: method === 'PUT' ? 200 : 405 });
  if (path.startsWith(ROLES) && headers.get('x-aws-ec2-metadata-token') !== 'imds-token')
    return new Response('no', { status: 401 });
  if (path === ROLES) return new Response('role-of-the-instance');
  if (path.startsWith(ROLES) || path === '/container') return asJson(give());
  const form = new URLSearchParams(one.body);
  const isSigned =
    form.get('Action') === 'AssumeRoleWithWebIdentity' || signerOf(one, 'sts', known) !== undefined;
  return isSigned
    ? asXml(give())
    : new Response('<E><Code>SignatureDoesNotMatch</Code></E>', { status: 403 });
}, seen);
const serviceUrl = `http://127.0.0.1:${services.port}`;

const bedrock = recorder((one) => {
  const id = signerOf(one, 'bedrock', known);
  if (id === undefined || id !== accepted)
    return Response.json({ message: 'The security token is invalid' }, { status: 403 });
  if (one.path.endsWith('/converse'))
    return Response.json({
      output: { message: { role: 'assistant', content: [{ text: 'hello' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
    });
  if (one.path.endsWith('/messages'))
    return Response.json({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'x',
      stop_reason: 'end_turn',
      stop_sequence: null,
      content: [{ type: 'text', text: 'hello' }],
      usage: { input_tokens: 3, output_tokens: 2 },
    });
  return Response.json({
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'x',
    choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  });
}, calls);
const bedrockUrl = `http://127.0.0.1:${bedrock.port}`;

afterAll(() => {
  void services.stop(true);
  void bedrock.stop(true);
  rmSync(directory, { recursive: true });
});
beforeEach(() => {
  [seen.length, calls.length, isFailing, aheadS] = [0, 0, false, 0];
  known.clear();
  known.set(fixed.accessKeyId, fixed);
  accepted = fixed.accessKeyId;
});

const none = {
  AWS_SHARED_CREDENTIALS_FILE: join(directory, 'none'),
  AWS_CONFIG_FILE: join(directory, 'none'),
};

async function start(aws: Json, environment: Record<string, string> = {}, row: Json = {}) {
  const provider = { id: 'cloud', wire: 'bedrock-converse', base_url: bedrockUrl, ...row };
  const server = await startServer({
    config: {
      simulator: { mode: 'off' },
      providers: [{ ...provider, aws: { region: 'eu-west-1', ...aws } }],
      catalog: { default: false, models: [ableModel('one', [{ provider: 'cloud', model: 'our-model' }])] },
    },
    environment: { TOLLGATE_TEST_CLOCK: '1', ...none, ...environment },
  });
  const { key } = await server.createKey('enterprise');
  return {
    server,
    chat: () => server.chat(key, 'one'),
    advance: (advance_s: number) => {
      aheadS += advance_s;
      return server.admin('POST', '/test/clock', { advance_s });
    },
    show: async () => (await server.admin('GET', '/providers/cloud')).body.credential,
  };
}

const keys = { AWS_ACCESS_KEY_ID: fixed.accessKeyId, AWS_SECRET_ACCESS_KEY: fixed.secretAccessKey };
const sts = { AWS_ENDPOINT_URL_STS: `${serviceUrl}/` };
const profiles = {
  AWS_SHARED_CREDENTIALS_FILE: file(
    'credentials',
    `[default]\naws_access_key_id = ${fixed.accessKeyId}\naws_secret_access_key = ${fixed.secretAccessKey} ; a comment\n`,
  ),
  AWS_CONFIG_FILE: file(
    'config',
    '[default]\nregion = eu-west-1\n\n[profile worker]\nrole_arn = arn:aws:iam::123456789012:role/worker\nsource_profile = default\nexternal_id = from-profile\n',
  ),
};
const role = { role_arn: 'arn:aws:iam::123456789012:role/gateway', external_id: 'our-id' };
const formOf = ({ body }: Seen) => Object.fromEntries(new URLSearchParams(body));

type Case = { name: string; aws: Json; environment: Record<string, string>; source: string; checks?(): void };
const cases: Case[] = [
  { name: 'the environment', aws: {}, environment: keys, source: 'environment' },
  {
    name: 'the settings',
    aws: { access_key_id: fixed.accessKeyId, secret_access_key: fixed.secretAccessKey },
    environment: { AWS_ACCESS_KEY_ID: 'AKIAOTHER', AWS_SECRET_ACCESS_KEY: 'other' },
    source: 'static',
  },
  { name: 'the default profile', aws: {}, environment: profiles, source: 'profile default' },
  {
    name: 'a profile with a role',
    aws: { profile: 'worker' },
    environment: { ...profiles, ...sts, ...keys },
    source: 'profile default, assume_role',
    checks: () =>
      expect(formOf(seen[0]!)).toMatchObject({ Action: 'AssumeRole', ExternalId: 'from-profile' }),
  },
  {
    name: 'a role of the settings',
    aws: { assume_role: role },
    environment: { ...keys, ...sts },
    source: 'environment, assume_role',
    checks: () =>
      expect(formOf(seen[0]!)).toMatchObject({
        RoleArn: role.role_arn,
        ExternalId: 'our-id',
        RoleSessionName: 'tollgate',
        DurationSeconds: '3600',
      }),
  },
  {
    name: 'a web identity (EKS)',
    aws: {},
    environment: {
      ...sts,
      AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/pod',
      AWS_WEB_IDENTITY_TOKEN_FILE: file('token', 'token-of-the-pod\n'),
    },
    source: 'web_identity',
    checks() {
      expect(formOf(seen[0]!)).toMatchObject({ WebIdentityToken: 'token-of-the-pod' });
      expect(seen[0]!.headers.get('authorization')).toBeNull();
    },
  },
  {
    name: 'a container (ECS, pod identity)',
    aws: {},
    environment: {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${serviceUrl}/container`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file('container-token', 'hidden-container-token\n'),
    },
    source: 'container',
    checks: () => expect(seen[0]!.headers.get('authorization')).toBe('hidden-container-token'),
  },
  {
    name: 'the metadata service (IMDSv2)',
    aws: {},
    environment: { AWS_EC2_METADATA_SERVICE_ENDPOINT: serviceUrl },
    source: 'metadata',
    checks: () =>
      expect(seen.map(({ method, path }) => [method, path])[0]).toEqual(['PUT', '/latest/api/token']),
  },
];

describe.each(shareOf(cases, { turn: 1, of: 3 }))('$name', ({ aws, environment, source, checks }) => {
  test('signs requests, and its keys are renewed before they expire and once the host refuses them, and serve while renewals fail', async () => {
    const { server, chat, advance, show } = await start(aws, environment);
    try {
      const first = await chat();
      expect(first.status, first.text).toBe(200);
      checks?.();
      const credential = await show();
      expect(credential).toMatchObject({ kind: 'aws', source, error: null });
      const asked = seen.length;
      if (credential.expires_at === null) return;
      await Promise.all([chat(), chat()]);
      expect(seen.length).toBe(asked);
      accepted = 'no longer';
      expect((await chat()).status).toBe(200);
      expect(seen.length).toBe(2 * asked);
      await advance(LIFE_S - 200);
      expect((await chat()).status).toBe(200);
      await waitFor(() => seen.length >= 3 * asked);
      expect(seen.length).toBe(3 * asked);
      // The source fails from shortly before the end of the keys, over their end.
      isFailing = true;
      await advance(LIFE_S - 60);
      expect((await chat()).status).toBe(200);
      await waitFor(async () => (await show()).error !== null);
      expect((await show()).error).toContain('answered 403 (AccessDenied)');
      expect((await chat()).status).toBe(200);
      await advance(60);
      expect((await chat()).status).toBe(503);
      isFailing = false;
      await waitFor(async () => (await chat()).status === 200);
      expect(await show()).toMatchObject({ source, error: null });
    } finally {
      await server.stop();
    }
    expect(server.log()).not.toContain('hidden-');
  }, 30_000);
});

test.each([
  ['openai-chat', '/openai/v1', '/openai/v1/chat/completions'],
  ['anthropic-messages', '/anthropic/v1', '/anthropic/v1/messages'],
])('Bedrock is called on the wire %s with a signature', async (wire, base, path) => {
  const { server, chat } = await start({}, keys, { wire, base_url: bedrockUrl + base });
  try {
    const { status, text } = await chat();
    expect(status, text).toBe(200);
    expect(calls[0]!.path).toBe(path);
  } finally {
    await server.stop();
  }
});

test('a source that is not set up is named', async () => {
  const { server, chat, show } = await start({ source: 'container' });
  try {
    expect((await chat()).status).toBe(503);
    expect(await show()).toMatchObject({
      source: 'container',
      error: expect.stringContaining('set AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'),
    });
  } finally {
    await server.stop();
  }
});

test('the token of a container goes to no other address', async () => {
  const environment = {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://10.0.0.1/container',
    AWS_CONTAINER_AUTHORIZATION_TOKEN: 'hidden-container-token',
  };
  const { server, chat, show } = await start({ source: 'container' }, environment);
  try {
    expect((await chat()).status).toBe(503);
    expect((await show()).error).toContain('not the address of a container service');
  } finally {
    await server.stop();
  }
});
