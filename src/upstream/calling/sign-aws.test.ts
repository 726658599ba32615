import { describe, expect, test } from 'bun:test';
import { regionOfHost } from '../../base/lib/region-of-host.ts';
import { type AwsRequest, signAws } from './sign-aws.ts';

const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};
const scope = {
  credentials,
  region: 'us-east-1',
  service: 'service',
  now: new Date('2015-08-30T12:36:00Z'),
};
const request = (changes: Partial<AwsRequest> = {}): AwsRequest => ({
  method: 'GET',
  url: new URL('https://example.amazonaws.com/'),
  headers: {},
  body: '',
  ...changes,
});
const partsOf = ({ authorization = '' }: Record<string, string>) => ({
  names: /SignedHeaders=([^,]+)/.exec(authorization)?.[1],
  signature: /Signature=(\w+)/.exec(authorization)?.[1],
});

describe('signs the published AWS examples correctly', () => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const cases: [string, Partial<AwsRequest>, string][] = [
    ['get-vanilla', {}, '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    ['post-vanilla', { method: 'POST' }, '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    [
      'post-vanilla-query',
      { method: 'POST', url: new URL('https://example.amazonaws.com/?Param1=value1') },
      '28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11',
    ],
    [
      'get-vanilla-query-order-key-case',
      { url: new URL('https://example.amazonaws.com/?Param2=value2&Param1=value1') },
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
    [
      'get-header-value-trim',
      { headers: { 'My-Header1': ' value1', 'My-Header2': ' "a   b   c"' } },
      'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
    ],
    [
      'post-x-www-form-urlencoded',
      { method: 'POST', headers: form, body: 'Param1=value1' },
      'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    ],
  ];
  test.each(cases)('%s', (_name, changes, signature) => {
    expect(partsOf(signAws(request(changes), scope)).signature).toBe(signature);
  });

  test('signs the example of the documentation', () => {
    const listUsers = request({
      url: new URL('https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08'),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' },
    });
    expect(signAws(listUsers, { ...scope, service: 'iam' }).authorization).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, ' +
        'SignedHeaders=content-type;host;x-amz-date, ' +
        'Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
    );
  });
});

test('sends and signs a session token', () => {
  const headers = signAws(request({ method: 'POST' }), {
    ...scope,
    credentials: { ...credentials, sessionToken: 'token' },
  });
  expect(headers['x-amz-security-token']).toBe('token');
  expect(headers['x-amz-date']).toBe('20150830T123600Z');
  expect(partsOf(headers).names).toBe('host;x-amz-date;x-amz-security-token');
});

test('signs body, path, host, headers and time', () => {
  const url = new URL('https://bedrock-runtime.us-east-1.amazonaws.com/model/a%3A0/converse');
  const sent = request({ method: 'POST', url, headers: { 'content-type': 'application/json' }, body: '{}' });
  const changed: Partial<AwsRequest>[] = [
    {},
    { body: '{ }' },
    { url: new URL(`${url.origin}/model/a%3A1/converse`) },
    { url: new URL(url.href.replace('us-east-1', 'us-west-2')) },
    { headers: { 'content-type': 'text/plain' } },
  ];
  const signatures = changed.map((change) => partsOf(signAws({ ...sent, ...change }, scope)).signature);
  const later = signAws(sent, { ...scope, now: new Date('2015-08-30T12:36:01Z') });
  expect(new Set([...signatures, partsOf(later).signature]).size).toBe(changed.length + 1);
});

test.each([
  ['bedrock-runtime.us-east-1.amazonaws.com', 'us-east-1'],
  ['bedrock-runtime-fips.us-gov-west-1.amazonaws.com', 'us-gov-west-1'],
  ['bedrock-runtime.cn-north-1.amazonaws.com.cn', 'cn-north-1'],
  ['vpce-1a-2b.bedrock-runtime.eu-central-1.vpce.amazonaws.com', 'eu-central-1'],
  ['bedrock-runtime.eu-west-1.api.aws', 'eu-west-1'],
  ['127.0.0.1', undefined],
  ['bedrock-runtime.us-east-1.amazonaws.com.evil.example', undefined],
])('finds the region of the host %s: %p', (host, region) => {
  expect(regionOfHost(host)).toBe(region as never);
});
