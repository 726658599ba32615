import { expect, test } from 'bun:test';
import { alertOccurrence } from './alert-occurrence.ts';
import { LiveBoard } from './live-board.ts';
import type { PublishedOccurrence } from './occurrence.ts';

const board = (failures: unknown[] = []) =>
  new LiveBoard({ now: () => 1_000, onFailure: (error) => failures.push(error) });

test('an occurrence reaches the listeners of every node once', async () => {
  const [here, there] = [board(), board()];
  const heard: [string, PublishedOccurrence][] = [];
  here.listen((one) => heard.push(['here', one]));
  const stop = there.listen((one) => heard.push(['there', one]));
  here.announceWith(async (text) => {
    // A notice and the reading of the changes both bring it, on the node that announced it too.
    for (const node of [here, there, there]) node.receive(text);
  });
  here.publish({ type: 'fault', account: null, data: { provider: 'local' } });
  await Promise.resolve();
  expect(heard.map(([node, { type, data }]) => [node, type, data])).toEqual([
    ['here', 'fault', { provider: 'local' }],
    ['there', 'fault', { provider: 'local' }],
  ]);
  stop();
  here.publish({ type: 'budget', account: 'acct_1', data: {} });
  expect(heard.map(([node]) => node)).toEqual(['here', 'there', 'here']);
  expect([there.since(999).length, there.since(1_001).length]).toEqual([2, 0]);
});

test('a page that connects again misses no occurrence of one millisecond or of a clock that is behind', () => {
  const ahead = new LiveBoard({ now: () => 5_000, onFailure: () => {} });
  const behind = new LiveBoard({ now: () => 1_000, onFailure: () => {} });
  behind.announceWith(async (text) => ahead.receive(text));
  const places: number[] = [];
  ahead.listen(({ place }) => places.push(place));
  ahead.publish({ type: 'fault', account: null, data: { provider: 'first' } });
  ahead.publish({ type: 'fault', account: null, data: { provider: 'second' } });
  behind.publish({ type: 'fault', account: null, data: { provider: 'third' } });
  const providersSince = (place: number) => ahead.since(place).map(({ data }) => data.provider);
  expect(providersSince(places[0]!)).toEqual(['second', 'third']);
  expect(providersSince(places[1]!)).toEqual(['third']);
});

test('an occurrence that is too long for a notice stays on its node, and says so', () => {
  const failures: unknown[] = [];
  const here = board(failures);
  here.announceWith(() => Promise.reject(new Error('not asked')));
  here.publish({ type: 'fault', account: null, data: { message: 'x'.repeat(8_000) } });
  expect(failures.map(String)).toEqual([expect.stringContaining('too long')]);
});

test('alerts of caps are for their account, those of providers for operators, and others wait', () => {
  const alert = (event: 'cap_80' | 'provider_down' | 'payment_problem') =>
    alertOccurrence({ event, message: 'It is so.', data: { account_id: 'acct_1' } });
  expect(alert('cap_80')).toMatchObject({ type: 'budget', account: 'acct_1', data: { event: 'cap_80' } });
  expect(alert('provider_down')).toMatchObject({ type: 'fault', account: null });
  expect(alert('payment_problem')).toBeUndefined();
});
