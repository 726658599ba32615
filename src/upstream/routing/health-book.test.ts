import { expect, test } from 'bun:test';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { Target } from '../../settings/hosts/target.ts';
import { HealthBook } from './health-book.ts';

const provider = { id: 'p', baseUrl: 'http://p', apiKey: 'k', cloud: null } as Provider;
const target = (upstreamModel: string, passing: { isPassed?: true } = {}): Target => ({
  provider,
  upstreamModel,
  weight: 1,
  wires: [],
  ...passing,
});

test('a target keeps its health in new lists until its key changes', () => {
  const book = new HealthBook();
  const [health] = book.of([target('a')]);
  expect(book.of([target('a')])[0]).toBe(health!);
  expect(book.of([{ ...target('a'), provider: { ...provider, apiKey: 'other' } }])[0]).not.toBe(health!);
});

test('the health of names that clients chose never displaces that of the catalog', () => {
  const book = new HealthBook();
  const [listed] = book.of([target('listed')]);
  const [first] = book.of([target('0', { isPassed: true })]);
  for (let at = 1; at <= 1_000; at++) book.of([target(String(at), { isPassed: true })]);
  expect([...book.ofProvider('p')].length).toBe(1_001);
  expect(book.of([target('listed')])[0]).toBe(listed!);
  expect(book.of([target('0', { isPassed: true })])[0]).not.toBe(first!);
});
