import { expect, test } from 'bun:test';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { Provider } from '../hosts/providers.ts';
import { sampleProvider } from '../hosts/testing/sample-provider.ts';
import { sampleTarget } from '../hosts/testing/sample-target.ts';
import { passModels } from './pass-models.ts';
import { sampleEntry } from './testing/sample-entry.ts';

const provider = (id: string, mode: Provider['mode'], wires: Wire[]): [string, Provider] => [
  id,
  sampleProvider({ id, mode, wires, refuses: ['seed'] }),
];
const providers = new Map([
  provider('live', 'live', ['openai-completions', 'openai-chat', 'openai-embeddings']),
  provider('absent', 'not-set-up', ['openai-chat']),
]);
const supportedWires = new Set<Wire>(['openai-chat', 'openai-completions', 'openai-embeddings']);
const pricing = { input: 1, output: 2, cachedInput: null };
const listedEntry = sampleEntry({
  model: { id: 'listed' },
  targets: [sampleTarget({ provider: sampleProvider({ id: 'live' }), upstreamModel: 'lab/listed' })],
});
const parts = { providers, supportedWires, pricing, entries: [listedEntry] };
const pass = passModels(parts);

test('a passed model has one target with the wires of its kind, best first', () => {
  const entry = pass('live/lab/m', 'chat');
  expect(entry?.model).toMatchObject({ id: 'live/lab/m', kind: 'chat', pricing });
  expect(entry?.targets).toMatchObject([
    { upstreamModel: 'lab/m', wires: ['openai-chat', 'openai-completions'], isPassed: true },
  ]);
  expect([...(entry?.targets[0]?.refuses ?? [])]).toEqual(['seed']);
  expect(pass('live/lab/m', 'chat')).toBe(entry!);
  expect(pass('live/lab/m', 'embedding')?.targets[0]?.wires).toEqual(['openai-embeddings']);
});

test('a listed model keeps its price and its plan under its provider and the name there', () => {
  expect(pass('live/lab/listed', 'chat')).toBe(listedEntry);
  expect(pass('live/lab/listed-20260101', 'chat')).toBe(listedEntry);
  expect(pass('live/lab/listed', 'embedding')?.model.pricing).toBe(pricing);
  expect(pass('live/lab/listed-2', 'chat')?.model.pricing).toBe(pricing);
});

test('a provider that is unknown or not set up passes nothing', () => {
  for (const name of ['other/m', 'absent/m', 'live/', 'live', '/m', 'live/../m', 'live/a/../m', 'live/a b'])
    expect({ name, result: pass(name, 'chat') }).toEqual({ name, result: undefined });
});

test('a thousand entries are kept until the oldest makes room', () => {
  const some = passModels(parts);
  const first = some('live/0', 'chat');
  const second = some('live/1', 'chat');
  for (let at = 2; at <= 1_000; at++) some(`live/${at}`, 'chat');
  expect(some('live/1', 'chat')).toBe(second!);
  expect(some('live/0', 'chat')).not.toBe(first!);
});
