import { expect, test } from 'bun:test';
import { fillAddress } from '../../settings/hosts/fill-address.ts';
import { upstreamUrl } from './upstream-url.ts';

const call = { path: '/chat/completions', upstreamModel: 'my gpt', stream: false, project: null };

test('builds the URL from the address, the deployment and the query', () => {
  const baseUrl = 'https://host/openai';
  expect(upstreamUrl({ baseUrl, query: '', quirks: [], cloud: null }, call)).toBe(
    'https://host/openai/chat/completions',
  );
  const dated = {
    baseUrl,
    query: 'api-version=2024-10-21',
    quirks: ['deployment-in-path'] as const,
    cloud: null,
  };
  expect(upstreamUrl(dated, call)).toBe(
    'https://host/openai/deployments/my%20gpt/chat/completions?api-version=2024-10-21',
  );
  expect(
    upstreamUrl({ baseUrl, query: 'a=b', quirks: [], cloud: null }, { ...call, path: '/m:x?alt=sse' }),
  ).toBe('https://host/openai/m:x?alt=sse&a=b');
});

test('fills an address from the environment, or names what is missing', () => {
  const template = '{ENDPOINT}/v1/{REGION:-here}';
  expect(fillAddress(template, { ENDPOINT: 'https://x/' })).toEqual({ address: 'https://x/v1/here' });
  expect(fillAddress(template, { ENDPOINT: 'https://x', REGION: 'there' })).toEqual({
    address: 'https://x/v1/there',
  });
  for (const environment of [{}, { ENDPOINT: '' }])
    expect(fillAddress(template, environment)).toEqual({ missing: ['ENDPOINT'] });
});
