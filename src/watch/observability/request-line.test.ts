import { expect, test } from 'bun:test';
import { ExchangeNotes } from '../../edge/http/exchange-notes.ts';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import { levelOf, requestLine } from './request-line.ts';

const exchange = (notes: Partial<ExchangeNotes>, userAgent = '') =>
  sampleExchange({
    request: new Request('http://x.invalid/v1/x', { method: 'POST', headers: { 'user-agent': userAgent } }),
    notes: Object.assign(new ExchangeNotes(), notes),
  });

test('only failures of the gateway and of upstreams are errors', () => {
  expect(levelOf(exchange({ status: 503 }))).toBe('error');
  expect(levelOf(exchange({ status: 529 }))).toBe('error');
  expect(levelOf(exchange({ status: 200, errorCode: 'upstream_unavailable' }))).toBe('error');
  for (const status of [200, 400, 401, 404, 429]) expect(levelOf(exchange({ status }))).toBe('info');
});

test('escapes control, bidi and line-separator characters of clients', () => {
  const names = { model: 'a\u202eb\u2028c\u001b[31m', keyName: 'x\u2066y' };
  const line = requestLine(exchange(names, 'agent\u009b'), 1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it must not occur
  expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e\u2066]/);
  expect(JSON.parse(`{${line}}`)).toMatchObject({ model: names.model, key_name: names.keyName });
});
