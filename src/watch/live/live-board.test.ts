import { expect, test } from 'bun:test';
import { alertOccurrence } from './alert-occurrence.ts';
import { LiveBoard } from './live-board.ts';
import type { BoardPlace, PublishedOccurrence } from './occurrence.ts';

const board = (failures: unknown[] = []) =>
  new LiveBoard({ now: () => 1_000, onFailure: (error) => failures.push(error) });

test('an occurrence reaches the listeners of every node once', async () => {
  const here = board();
  const there = board();
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
});

test('a reader gets what was shown after its place on the board', () => {
  const here = board();
  const there = board();
  here.announceWith(async (text) => there.receive(text));
  const publish = (provider: string) => here.publish({ type: 'fault', account: null, data: { provider } });
  const providersAfter = (place: BoardPlace, on = here) => on.after(place).map(({ data }) => data.provider);
  publish('before');
  const start = here.place;
  // All are of the same millisecond.
  for (const provider of ['one', 'two', 'three']) publish(provider);
  expect(providersAfter(start)).toEqual(['one', 'two', 'three']);
  const [, second] = here.after(start);
  expect(providersAfter({ ...start, number: second!.number })).toEqual(['three']);
  expect(providersAfter(here.place)).toEqual([]);
  expect(providersAfter(here.place, there)).toEqual(['before', 'one', 'two', 'three']);
});

test('an occurrence that is too long for a notice is announced without its content', () => {
  const failures: unknown[] = [];
  const here = board(failures);
  here.announceWith(() => Promise.reject(new Error('not asked')));
  here.publish({ type: 'fault', account: null, data: { message: 'x'.repeat(8_000) } });
  expect(failures.map(String)).toEqual([expect.stringContaining('too long')]);
});

const occurrenceOf = (event: 'cap_80' | 'provider_down' | 'payment_problem') =>
  alertOccurrence({ event, message: 'It is so.', data: { account_id: 'acct_1' } });

test('the alert of a cap is shown to its account', () => {
  const occurrence = { type: 'budget', account: 'acct_1', data: { event: 'cap_80' } };
  expect(occurrenceOf('cap_80')).toMatchObject(occurrence);
});

test('the alert of a provider is shown to operators', () => {
  expect(occurrenceOf('provider_down')).toMatchObject({ type: 'fault', account: null });
});

test('the alert of a payment is not shown', () => {
  expect(occurrenceOf('payment_problem')).toBeUndefined();
});
