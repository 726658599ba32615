import { expect, test } from 'bun:test';
import type { Refusal } from '../../base/errors/refusal.ts';
import { MovableClock } from '../../base/lib/clock.ts';
import { sampleProvider } from '../../settings/hosts/testing/sample-provider.ts';
import { failureOfStatus } from '../../upstream/calling/failure-of-status.ts';
import { ProviderActivity } from '../../upstream/calling/provider-activity.ts';
import type { NativeTransport } from './native-transport.ts';
import { complaintRefusal } from './provider-complaint.ts';
import { watchTransport } from './watch-transport.ts';

const provider = sampleProvider({ id: 'one', apiKey: 'a-secret-key' });
const batch = { provider, upstreamId: 'upstream' };
const order = { provider, path: '/chat', requests: [], mark: 'mark', version: null };
const refusalOf = (status: number): Refusal => {
  const text = JSON.stringify({ error: { message: 'The key a-secret-key is wrong.' } });
  return complaintRefusal(provider, failureOfStatus(status, text, new Headers()));
};

/**
 * Makes a transport whose calls end with the given status, and reads what the activity of the provider says
 * about them.
 */
function setUp() {
  const changes: boolean[] = [];
  const reported: unknown[] = [];
  const state = { status: 401 };
  const activity = new ProviderActivity(new MovableClock());
  activity.observeFaults((_, fault) => changes.push(fault !== null));
  activity.observeRefusals((id, said) => reported.push([id, said?.status, said?.message]));
  const answer = async <Answer>(value: Answer): Promise<Answer> => {
    if (state.status !== 200) throw refusalOf(state.status);
    return value;
  };
  const inner: NativeTransport = {
    settleMs: 0,
    submit: () => answer('upstream'),
    async *list() {
      const about = { mark: null, size: undefined, ageMs: undefined };
      yield await answer({ upstreamId: 'upstream', ...about });
    },
    poll: () => answer({ kind: 'running' } as const),
    async *results() {
      yield await answer({ customId: 'item-0', kind: 'canceled' } as const);
    },
    cancel: () => answer(undefined),
    remove: () => answer(undefined),
  };
  return {
    transport: watchTransport(inner, activity.batchCalled),
    activity,
    changes,
    reported,
    state,
  };
}

const calls: [string, (transport: NativeTransport) => Promise<unknown>][] = [
  ['submission', (transport) => transport.submit(order)],
  ['list', (transport) => Array.fromAsync(transport.list(provider))],
  ['poll', (transport) => transport.poll(batch)],
  ['download of results', (transport) => Array.fromAsync(transport.results(batch, ['all']))],
  ['cancel', (transport) => transport.cancel(batch)],
  ['removal', (transport) => transport.remove(batch)],
];

for (const [what, call] of calls)
  test(`the third refused ${what} in a row means a refused key, reported with the first one`, async () => {
    const { transport, activity, changes, reported } = setUp();
    for (let i = 0; i < 3; i++)
      await expect(call(transport)).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(changes).toEqual([true]);
    expect(activity.isKeyRefused('one')).toBeTrue();
    expect(reported).toEqual([['one', 401, expect.stringContaining('is wrong.')]]);
    expect(JSON.stringify(reported)).not.toContain('a-secret-key');
  });

test('an accepted poll of a native batch means that the key is accepted again', async () => {
  const { transport, changes, state } = setUp();
  for (let i = 0; i < 3; i++) await transport.submit(order).catch(() => {});
  state.status = 200;
  await transport.poll(batch);
  expect(changes).toEqual([true, false]);
});

test('other failures of a native batch say nothing about the key or the health of models', async () => {
  const { transport, activity, changes, state } = setUp();
  state.status = 500;
  for (let i = 0; i < 4; i++) await transport.poll(batch).catch(() => {});
  expect(changes).toEqual([]);
  expect(activity.view({ id: 'one', maxConcurrent: null })).toMatchObject({ health: 'up', errorsTotal: 0 });
});
