import { expect, test } from 'bun:test';
import { isInSetup } from './setup-progress.ts';

const simulated = { models: 4, simulated_models: 4 };
const live = { models: 5, simulated_models: 4 };
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const request = (minute: number, refusal: unknown = null) => ({
  ended_at: at(minute).toISOString(),
  refusal,
});

function memory() {
  const values = new Map<string, string>();
  return {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    removeItem: (name: string) => void values.delete(name),
  };
}

test('the setup lasts from simulated answers to the first answer of a provider', () => {
  const kept = memory();
  const isOpen = (welcome: typeof live, minute: number, requests: ReturnType<typeof request>[]) =>
    isInSetup(welcome, requests, { kept, now: at(minute) });
  expect(isOpen(simulated, 1, [request(0)])).toBe(true);
  expect(isOpen(live, 2, [request(1)])).toBe(true);
  expect(isOpen(live, 3, [request(3, { code: 'upstream_error' }), request(1)])).toBe(true);
  expect(isOpen(live, 5, [request(4)])).toBe(false);
  expect(isOpen(live, 6, [])).toBe(false);
});

test('an operator of a server with providers sees no steps', () => {
  expect(isInSetup(live, [], { kept: memory(), now: at(1) })).toBe(false);
});
