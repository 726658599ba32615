import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AwsPlan, GooglePlan } from '../../settings/hosts/cloud-plan.ts';
import { askTokenService } from './ask-token-service.ts';
import { awsSources } from './aws-sources.ts';
import { azureSources } from './azure-sources.ts';
import { googleSources } from './google-sources.ts';
import { checkedAddress, type TokenServiceKind } from './token-address.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-sources-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text);
  return join(directory, name);
};

const seen: string[] = [];
let answer = (_: Request): Response => new Response();
const listen = (name: string) =>
  Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      seen.push(`${name} ${request.method} ${new URL(request.url).pathname}`);
      return name === 'proxy' ? new Response('from the proxy') : answer(request);
    },
  });
const service = listen('service');
const proxy = listen('proxy');
const url = `http://127.0.0.1:${service.port}`;
afterAll(async () => {
  await service.stop(true);
  await proxy.stop(true);
  rmSync(directory, { recursive: true });
});
beforeEach(() => {
  seen.length = 0;
});

const clock = { now: () => 0, wall: Date.now };
const awsPlan = (fields: Partial<AwsPlan> = {}): AwsPlan => ({
  kind: 'aws',
  source: 'auto',
  region: 'eu-west-1',
  service: 'bedrock',
  profile: null,
  accessKeyId: null,
  secretAccessKey: null,
  sessionToken: null,
  assumeRole: null,
  environment: {},
  ...fields,
});
const googlePlan = (text: object): GooglePlan => ({
  kind: 'google',
  source: 'file',
  project: null,
  region: 'global',
  environment: {},
  credentialsFile: file('google.json', JSON.stringify(text)),
});
const aws = (fields: Partial<AwsPlan>) => awsSources(awsPlan(fields), clock.wall)();

describe('plain HTTP', () => {
  const cases: [url: string, kind: TokenServiceKind, isTaken: boolean][] = [
    ['http://127.0.0.1:1/token', 'service', true],
    ['http://[::1]/token', 'service', true],
    ['http://127.0.0.1.example.com/token', 'service', false],
    ['http://169.254.169.254/token', 'service', false],
    ['http://10.0.0.1/token', 'service', false],
    ['http://metadata.google.internal/x', 'local', true],
    ['http://10.0.0.1/msi/token', 'local', true],
    ['http://example.com/msi/token', 'local', false],
    ['http://169.254.169.254/metadata', 'metadata', true],
    ['http://[fd00:ec2::254]/metadata', 'metadata', true],
    ['http://10.0.0.1/metadata', 'metadata', false],
    ['http://example.com/metadata', 'metadata', false],
    ['http://metadata.google.internal.example.com/x', 'metadata', false],
    ['ftp://127.0.0.1/token', 'local', false],
  ];
  test.each(cases)('to %s as %s is allowed: %p', (address, kind, isTaken) => {
    const ask = () => checkedAddress(address, 'here', kind);
    if (isTaken) expect(ask()).toMatchObject({ isDirect: true });
    else expect(ask).toThrow('must be reached with https');
  });

  test('goes through no proxy, which would learn the secret', async () => {
    answer = () => new Response('direct');
    process.env.HTTP_PROXY = `http://127.0.0.1:${proxy.port}`;
    try {
      expect(await askTokenService({ source: 'here', url: `${url}/one` })).toBe('direct');
      expect(await askTokenService({ source: 'here', url: `${url}/two`, kind: 'local' })).toBe('direct');
    } finally {
      delete process.env.HTTP_PROXY;
    }
    expect(seen).toEqual(['service GET /one', 'service GET /two']);
  });
});

describe('the answer of a token service', () => {
  const ask = () => askTokenService({ source: 'here', url: `${url}/token` });

  test('is not followed to another host', async () => {
    answer = () => new Response(null, { status: 302, headers: { location: `${url}/elsewhere` } });
    await expect(ask()).rejects.toThrow('answered 302');
    expect(seen).toEqual(['service GET /token']);
  });

  test('is read only up to its bound', async () => {
    const piece = new Uint8Array(64 * 1024);
    let sent = 0;
    answer = () =>
      new Response(
        new ReadableStream({
          pull(stream) {
            stream.enqueue(piece);
            sent += piece.length;
          },
        }),
      );
    await expect(ask()).rejects.toThrow('answered too much');
    expect(sent).toBeLessThan(50_000_000);
  });

  test('is never quoted, except for its code', async () => {
    const error_description = 'AADSTS7000215: Invalid client secret hidden-secret.';
    answer = () => Response.json({ error: 'invalid_client', error_description }, { status: 401 });
    await expect(ask()).rejects.toThrow(/answered 401 \(AADSTS7000215\)$/);
  });
});

test('a user of Google Cloud names the project whose quota counts', async () => {
  answer = () => Response.json({ access_token: 'token', expires_in: 3_600 });
  const user = { type: 'authorized_user', client_id: 'a', client_secret: 'b', refresh_token: 'c' };
  const plan = googlePlan({ ...user, token_uri: `${url}/token`, quota_project_id: 'quota' });
  const { secret } = await googleSources(plan, clock)();
  expect(secret).toEqual({ kind: 'token', token: 'token', project: 'quota', quotaProject: 'quota' });
});

test('a file of a federation may name no other address in plain HTTP', async () => {
  const plan = googlePlan({
    type: 'external_account',
    audience: 'a',
    subject_token_type: 't',
    token_url: `${url}/sts`,
    credential_source: { url: 'http://10.0.0.1/token', headers: { 'x-secret': 'hidden' } },
  });
  await expect(googleSources(plan, clock)()).rejects.toThrow('10.0.0.1 must be reached with https');
});

test('an identity that names no tenant says which variable is missing', async () => {
  const plan = { kind: 'azure', source: 'auto', scope: 's', clientId: 'c', certificateFile: null } as const;
  const fetchSecret = azureSources({ ...plan, tenantId: null, clientSecret: 's', environment: {} }, clock);
  await expect(fetchSecret()).rejects.toThrow('set azure.tenant_id or AZURE_TENANT_ID');
});

describe('credentials of AWS', () => {
  const shared = file(
    'credentials',
    [
      '# the keys of the team',
      '[upper]',
      'AWS_ACCESS_KEY_ID: AKIDUPPER',
      'aws_secret_access_key = one # a comment',
      '[profile "in quotes"]',
      'aws_access_key_id = AKIDQUOTED',
      'aws_secret_access_key = two',
    ].join('\n'),
  );
  const files = {
    AWS_SHARED_CREDENTIALS_FILE: join(directory, 'none'),
    AWS_CONFIG_FILE: shared,
    AWS_EC2_METADATA_DISABLED: 'true',
  };

  test.each([
    ['upper', 'AKIDUPPER'],
    ['in quotes', 'AKIDQUOTED'],
  ])('the profile %s is read as the AWS tools read it', async (AWS_PROFILE, accessKeyId) => {
    const { secret } = await aws({ environment: { ...files, AWS_PROFILE } });
    expect(secret).toMatchObject({ keys: { accessKeyId } });
  });

  test('a missing profile that a variable names is reported without a look at other sources', async () => {
    const environment = { ...files, AWS_PROFILE: 'missing', AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/c` };
    await expect(aws({ environment })).rejects.toThrow('there is no profile missing in the shared files');
    expect(seen).toEqual([]);
  });

  test('a profile of the settings excludes the keys and the role of the environment', async () => {
    answer = () => Response.json({ Code: 'none' });
    const environment = {
      ...files,
      AWS_ACCESS_KEY_ID: 'AKIDENVIRONMENT',
      AWS_SECRET_ACCESS_KEY: 'three',
      AWS_WEB_IDENTITY_TOKEN_FILE: file('token', 'pod'),
      AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/pod',
      AWS_ENDPOINT_URL_STS: `${url}/`,
    };
    const { secret } = await aws({ profile: 'upper', environment });
    expect(secret).toMatchObject({ keys: { accessKeyId: 'AKIDUPPER' } });
    expect(seen).toEqual([]);
  });

  test('a message says that keys of the environment are not used with a profile', async () => {
    const environment = { AWS_ACCESS_KEY_ID: 'AKIDENVIRONMENT', AWS_SECRET_ACCESS_KEY: 'three' };
    await expect(aws({ source: 'static', profile: 'upper', environment })).rejects.toThrow(
      /remove its profile, which excludes the variables$/,
    );
  });

  test('a service that has none says so with status 200', async () => {
    answer = () => Response.json({ Code: 'AssumeRoleUnauthorizedAccess', Message: 'hidden' });
    const environment = { ...files, AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/container` };
    await expect(aws({ environment })).rejects.toThrow(
      /gave no credentials \(AssumeRoleUnauthorizedAccess\)$/,
    );
  });

  test('without any source, the message says what sets one up', async () => {
    const none = { ...files, AWS_CONFIG_FILE: join(directory, 'none') };
    await expect(aws({ environment: none })).rejects.toThrow(
      'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    );
    answer = () => new Response('no', { status: 404 });
    const environment = { ...none, AWS_EC2_METADATA_DISABLED: '', AWS_EC2_METADATA_SERVICE_ENDPOINT: url };
    await expect(aws({ environment })).rejects.toThrow(
      /answered 404; no other source is set up: set AWS_ACCESS_KEY_ID/,
    );
  });
});
