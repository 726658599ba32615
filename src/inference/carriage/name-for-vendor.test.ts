import { expect, test } from 'bun:test';
import { type JsonObject, knownBody } from '../../base/json/json-body.ts';
import { sampleEntry } from '../../settings/catalog/testing/sample-entry.ts';
import { sampleTarget } from '../../settings/hosts/testing/sample-target.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { nameForVendor } from './name-for-vendor.ts';

const target = sampleTarget({ upstreamModel: 'sage-large' });
const catalog = { entries: [sampleEntry({ model: { id: 'sage' }, targets: [target] })] };

const requestOf = (value: JsonObject): InferenceRequest => ({
  model: 'm',
  stream: false,
  runsTools: true,
  body: knownBody(JSON.stringify(value), value),
});

test('each advisor has the vendor’s name of its model', () => {
  const tools = [
    { type: 'advisor_x', model: 'sage' },
    { name: 'own' },
    { type: 'advisor_x', model: 'sage-large' },
  ];
  const { body } = nameForVendor(requestOf({ tools }), target, catalog);
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
  const { body } = nameForVendor(request, target, catalog);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(body.text.match(/"sage-large"/g)).toHaveLength(20_000);
});
