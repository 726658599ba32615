import { expect, test } from 'bun:test';
import type { JsonBody, JsonObject } from '../../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../../base/json/parse-body.ts';
import { patchRequest } from './patch-request.ts';

const ENCRYPTED = 'reasoning.encrypted_content';

const sent = (fields: JsonObject, reasoning: boolean): JsonObject => {
  const body = parseBodyAtOnce(JSON.stringify({ model: 'm', input: 'Hello', ...fields })) as JsonBody;
  const target = { upstreamModel: 'hidden', reasoning, reasoningEfforts: [] };
  return JSON.parse(String(patchRequest({ body, model: 'm', stream: false }, 'hidden', target)));
};

test('encrypted reasoning is requested only from models that reason', () => {
  const include = ['web_search_call.results', ENCRYPTED];
  expect(sent({ include }, true).include).toEqual(include);
  expect(sent({}, true).include).toEqual([ENCRYPTED]);
  expect(sent({ include }, false).include).toEqual(['web_search_call.results']);
  expect(sent({ include: [ENCRYPTED] }, false)).not.toHaveProperty('include');
  expect(sent({ include: ['web_search_call.results'] }, false).include).toEqual(['web_search_call.results']);
});

test('the provider is not asked to store an answer, or to make it in the background', () => {
  const fields = { background: true, background_options: { completion_window: '8h' }, store: true };
  expect(sent(fields, false)).toEqual({ model: 'hidden', input: 'Hello', store: false });
});
