// Prints requests and assertions as the gateway signs them, for `scripts/clouds/compare.py`.
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AwsPlan } from '../../src/settings/hosts/cloud-plan.ts';
import { signAws } from '../../src/upstream/calling/sign-aws.ts';
import { awsSources } from '../../src/upstream/credentials/aws-sources.ts';
import { signPs256, signRs256 } from '../../src/upstream/credentials/sign-assertion.ts';
import { rsaCertificate } from '../../test/support/rsa-certificate.ts';

const now = new Date();
const seconds = Math.floor(now.getTime() / 1_000);
const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'a/secret+key',
  sessionToken: 'a session',
};

const bedrock = 'https://bedrock-runtime.eu-west-1.amazonaws.com';
const profile = 'arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.a.model-v1:0';
/** The requests of the samples. Each is signed with a session and without one. */
const signedSamples: [service: string, url: string, body: string][] = [
  ['bedrock', `${bedrock}/model/a.model-v1%3A0/converse`, '{"a":"ü"}'],
  ['bedrock', `${bedrock}/model/a.model-v1:0/converse-stream`, '{}'],
  ['bedrock', `${bedrock}/model/${encodeURIComponent(profile)}/converse`, '{}'],
  ['bedrock', `${bedrock}/model/${encodeURIComponent("it's (a) *model*!~ü")}/converse`, '{}'],
  ['bedrock', `${bedrock}/openai/v1/chat/completions`, '{}'],
  ['bedrock', `${bedrock}/openai/v1/responses?b=2&a=1&a=0&c=`, '{}'],
  ['bedrock', `${bedrock}/openai/v1/chat/completions?one=a%20b&two=%2F%3A%3D&three=%C3%BC&f=~`, ''],
  ['bedrock', `${bedrock}/openai/v1/chat/completions?A=1&a=2&a-b=3&a%5B%5D=4`, '{}'],
  ['bedrock', `${bedrock}/anthropic/v1/messages?beta=true`, '{"model":"a.model-v1:0"}'],
  ['bedrock', `${bedrock}/anthropic/v1/messages`, ''],
  ['bedrock', 'https://bedrock-runtime.eu-west-1.amazonaws.com:8443/anthropic/v1/messages', '{}'],
  ['sts', 'https://sts.eu-west-1.amazonaws.com/', 'Action=AssumeRole&RoleArn=arn%3Aaws%3Aiam'],
];
const { sessionToken: _, ...lasting } = credentials;
const requests = [credentials, lasting].flatMap((keys) =>
  signedSamples.map(([service, url, body]) => {
    const headers = { 'content-type': 'application/json' };
    const signed = signAws(
      { method: 'POST', url: new URL(url), headers, body },
      { credentials: keys, region: 'eu-west-1', service, now },
    );
    return { service, url, body, signed, hasSession: keys === credentials };
  }),
);

const directory = mkdtempSync(join(tmpdir(), 'tollgate-clouds-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text);
  return join(directory, name);
};
const shared = file(
  'credentials',
  '[default]\naws_access_key_id = AKIDDEFAULT\naws_secret_access_key = one\n[other]\naws_access_key_id = AKIDOTHER\naws_secret_access_key = two\n',
);
const config = file(
  'config',
  '[profile only-in-config]\naws_access_key_id = AKIDCONFIG\naws_secret_access_key = three\n',
);
const files = {
  AWS_SHARED_CREDENTIALS_FILE: shared,
  AWS_CONFIG_FILE: config,
  AWS_EC2_METADATA_DISABLED: 'true',
};
const environments: Record<string, string>[] = [
  files,
  { ...files, AWS_PROFILE: 'other' },
  { ...files, AWS_PROFILE: 'only-in-config' },
  { ...files, AWS_ACCESS_KEY_ID: 'AKIDENVIRONMENT', AWS_SECRET_ACCESS_KEY: 'four' },
  { ...files, AWS_PROFILE: 'other', AWS_ACCESS_KEY_ID: 'AKIDENVIRONMENT', AWS_SECRET_ACCESS_KEY: 'four' },
];
const plan = (environment: Record<string, string>): AwsPlan => ({
  kind: 'aws',
  source: 'auto',
  region: 'eu-west-1',
  service: 'bedrock',
  profile: null,
  accessKeyId: null,
  secretAccessKey: null,
  sessionToken: null,
  assumeRole: null,
  environment,
});
const chains = await Promise.all(
  environments.map(async (environment) => {
    const { secret } = await awsSources(plan(environment), () => now.getTime())();
    return { environment, id: secret.kind === 'keys' ? secret.keys.accessKeyId : null };
  }),
);

const claims = { iss: 'x@y', scope: 's', aud: 'https://audience.example', iat: seconds, exp: seconds + 600 };
const thumbprint = createHash('sha256')
  .update(new X509Certificate(rsaCertificate.cert).raw)
  .digest('base64url');
console.log(
  JSON.stringify({
    credentials,
    requests,
    chains,
    certificate: rsaCertificate.cert,
    thumbprint,
    google: signRs256({ header: { kid: 'one' }, claims, privateKey: rsaCertificate.key }),
    azure: signPs256({ header: { 'x5t#S256': thumbprint }, claims, privateKey: rsaCertificate.key }),
    pem: rsaCertificate.key + rsaCertificate.cert,
  }),
);
