import { expect, test } from 'bun:test';
import { RawJson } from '../../canonical/raw-json.ts';
import type { Tool } from '../../canonical/request.ts';
import { allowedTools } from './allowed-tools.ts';

const own = (type: string): Tool => ({
  kind: 'opaque',
  issuer: 'responses',
  tool: new RawJson(JSON.stringify({ type })),
});
const named = (name: string, namespace?: string): Tool => ({
  kind: 'function',
  name,
  ...(namespace !== undefined && { namespace }),
});

test('tools are allowed by name, by namespace or by type', () => {
  const isAllowed = allowedTools([
    { type: 'function', name: 'find' },
    { type: 'function', name: 'save', namespace: 'crm' },
    { type: 'namespace', name: 'mail' },
    { type: 'web_search' },
  ]);
  const allowed = [named('find'), named('find', 'any'), named('save', 'crm'), named('send', 'mail')];
  const others = [named('save'), named('save', 'mails'), named('send'), own('shell')];
  expect([...allowed, own('web_search')].map(isAllowed)).toEqual([true, true, true, true, true]);
  expect(others.map(isAllowed)).toEqual([false, false, false, false]);
});

test('compares a thousand tools with a hundred thousand entries in a moment', () => {
  const start = performance.now();
  const isAllowed = allowedTools(Array.from({ length: 100_000 }, () => ({ type: 'shell' })));
  expect(Array.from({ length: 1_000 }, () => own('web_search')).some(isAllowed)).toBe(false);
  expect(performance.now() - start).toBeLessThan(1_000);
});
