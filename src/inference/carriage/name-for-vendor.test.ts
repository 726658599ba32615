import { expect, test } from 'bun:test';
import { knownBody } from '../../base/json/json-body.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { nameForVendor } from './name-for-vendor.ts';

const provider = { id: 'vendor' };
const entry = {
  model: { id: 'sage' },
  targets: [{ upstreamModel: 'sage-large', provider }],
} as unknown as CatalogEntry;
const catalog = { entries: [entry] };

const requestOf = (value: Record<string, unknown>) => {
  const text = JSON.stringify(value);
  return { model: 'm', runsTools: true, body: knownBody(text, value) } as unknown as InferenceRequest;
};

test('each advisor has the vendor’s name of its model', () => {
  const tools = [
    { type: 'advisor_x', model: 'sage' },
    { name: 'own' },
    { type: 'advisor_x', model: 'sage-large' },
  ];
  const { body } = nameForVendor(requestOf({ tools }), { provider } as never, catalog);
  expect(JSON.parse(body.text).tools).toEqual([
    { type: 'advisor_x', model: 'sage-large' },
    tools[1],
    tools[2],
  ]);
  expect(body.value).toEqual(JSON.parse(body.text));
});

test('a request that adds very many advisors takes no longer than its text', () => {
  const tool = { definition: { type: 'advisor_x', model: 'sage' } };
  const content = Array.from({ length: 20_000 }, () => ({ type: 'tool_addition', tool }));
  const request = requestOf({ messages: [{ role: 'system', content }] });
  const startedAt = performance.now();
  const { body } = nameForVendor(request, { provider } as never, catalog);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(body.text.match(/"sage-large"/g)).toHaveLength(20_000);
});
