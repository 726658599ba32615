import { expect, test } from 'bun:test';
import { accountMark } from './account-mark.ts';
import type { AwsPlan } from './cloud-plan.ts';
import type { ProviderCredential } from './provider-credential.ts';
import { sampleProvider } from './testing/sample-provider.ts';

const plan: AwsPlan = {
  kind: 'aws',
  source: 'static',
  region: 'eu-west-1',
  service: 'bedrock',
  profile: null,
  accessKeyId: 'AKIA1',
  secretAccessKey: 'secret',
  sessionToken: null,
  assumeRole: null,
  environment: {},
};
const role = { roleArn: 'arn:aws:iam::1:role/one', externalId: null, sessionName: 'name', durationS: 900 };

const markOf = (fields: Partial<AwsPlan>) =>
  accountMark(
    sampleProvider({ cloud: { plan: { ...plan, ...fields }, credential: {} as ProviderCredential } }),
  );

test('marks accounts with letters and digits that do not change between versions', () => {
  expect(accountMark(sampleProvider())).toBe('yvxXqeeYbA0C');
  expect(markOf({})).toBe('v8Lfxbn4jynC');
});

test('marks a new key or address as a new account', () => {
  const providers = [{}, { apiKey: 'another-key' }, { baseUrl: 'http://another.invalid/v1' }];
  expect(new Set(providers.map((fields) => accountMark(sampleProvider(fields)))).size).toBe(3);
});

test('marks the same account after its cloud has issued new credentials', () => {
  expect(markOf({ sessionToken: 'new' })).toBe(markOf({}));
  const issued = { accessKeyId: null, environment: { AWS_ACCESS_KEY_ID: 'ASIA2' } };
  expect(markOf(issued)).toBe(markOf({ ...issued, environment: { AWS_ACCESS_KEY_ID: 'ASIA3' } }));
});

test('marks roles that one key assumes as accounts of their own', () => {
  const assumeRoles = [null, role, { ...role, roleArn: 'arn:aws:iam::2:role/two' }];
  expect(new Set(assumeRoles.map((assumeRole) => markOf({ assumeRole }))).size).toBe(3);
  expect(markOf({ assumeRole: { ...role, durationS: 3_600 } })).toBe(markOf({ assumeRole: role }));
});
