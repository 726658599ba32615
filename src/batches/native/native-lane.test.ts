import { expect, test } from 'bun:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { Unavailable } from '../../base/errors/unavailable.ts';
import type { Hold } from '../../money/ledger/hold.ts';
import type { HoldCheckpoint } from '../../money/ledger/ledger-store.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { ClaimedItem } from '../stored/batch.ts';
import type { RunningBatch } from '../stored/batch-store.ts';
import type { ItemEnd } from '../stored/item-run.ts';
import { LostAnswer } from './lost-answer.ts';
import { NativeLane } from './native-lane.ts';
import type { NativeStore, Submission } from './native-store.ts';
import type { ListedBatch, NativeResult, NativeState, NativeTransport } from './native-transport.ts';

const wire = 'openai-chat';
const provider = { id: 'one' } as Provider;
const target: Target = { provider, upstreamModel: 'model', weight: 1, wires: [wire] };
const carriage = { path: '/chat', body: '{}' };
const NEVER = new AbortController().signal;

const batchOf = (fields: Partial<RunningBatch> = {}) =>
  ({ sequence: 1, mode: 'native-required', cancelInitiatedAt: null, ...fields }) as RunningBatch;
const itemOf = (number: number, submission: number | null = null): ClaimedItem => ({
  customId: `c${number}`,
  requestId: `req_${number}`,
  params: '{}',
  failures: 0,
  deaths: 0,
  submission,
  lease: { batch: 1, number, attempt: 1 },
});
const heldFor = (requestId: string): HoldCheckpoint =>
  ({ posting: { hold: { order: { requestId } } as Hold, receipt: {} }, produced: false }) as HoldCheckpoint;
const answerTo = (number: number): NativeResult => ({
  customId: `item-${number}`,
  kind: 'answered',
  text: '{}',
});

/** A lane with a provider and a store whose calls can be made to fail or wait. */
function setUp(fakes: { store?: Partial<NativeStore>; transport?: Partial<NativeTransport> } = {}) {
  const calls: string[] = [];
  const failures: unknown[] = [];
  const state = {
    provider: { kind: 'running' } as NativeState,
    results: [] as NativeResult[],
    listed: [] as ListedBatch[],
    submitting: Promise.resolve(),
    packing: Promise.resolve(),
    itemsAway: [] as number[],
    ended: [] as [number, ItemEnd][],
  };
  const note = (call: string) => void calls.push(call);
  const lane = new NativeLane({
    store: {
      createSubmission: async () => 7,
      openSubmission: async () => {
        note('open');
        return true;
      },
      findSubmission: async () => known,
      listUpstreamIds: async () => [],
      listItemsAway: async () => state.itemsAway,
      closeSubmission: async () => {
        note('close');
        return true;
      },
      readParams: async () => '{}',
      ...fakes.store,
    },
    ledger: {
      checkpoint: async (holds) => note(`keep ${holds.map(({ away }) => away?.number)}`),
      void: ({ order }) => note(`void ${order.requestId}`),
      reclaim: (requestId) => heldFor(requestId).posting,
      voidUnclaimed: () => {},
    },
    transportOf: () => ({
      settleMs: 1,
      async submit({ requests }) {
        note(`submit ${requests.map(({ customId }) => customId)}`);
        await state.submitting;
        return 'upstream';
      },
      async *list() {
        note('list');
        yield* state.listed;
      },
      poll: async () => state.provider,
      async *results() {
        note('results');
        yield* state.results;
      },
      cancel: async () => note('cancel'),
      remove: async () => note('remove'),
      ...fakes.transport,
    }),
    clock: { now: () => 1_000_000 },
    newMark: () => 'item',
    providerOf: () => provider,
    providers: () => new Map(),
    async pack({ requestId }) {
      await state.packing;
      return { target, wire, carriage, held: heldFor(requestId), version: null };
    },
    runAlone: () => ({ done: Promise.resolve(undefined), hasBegun: () => true }),
    deliver: async ({ lease }) => void note(`deliver ${lease.number}`),
    onFailure: (error) => void failures.push(error),
  });
  const run = (item: ClaimedItem, { batch = batchOf(), signal = NEVER } = {}) =>
    lane.run(item, batch, signal).done;
  return { lane, calls, failures, state, run };
}

const known: Submission = {
  batch: 1,
  provider: 'one',
  wire,
  upstreamModel: 'model',
  upstreamId: 'upstream',
  mark: 'item',
  sentAt: 900_000,
  size: 1,
};
const ended: NativeState = { kind: 'ended', results: ['all'] };

test('stores the hold of an item from before it is sent until its answer is posted', async () => {
  const { run, calls, state } = setUp();
  const done = run(itemOf(0));
  await waitFor(() => calls.includes('open'));
  expect(calls).toEqual(['keep 0', 'submit item-0', 'open']);
  state.provider = ended;
  state.results = [answerTo(0)];
  expect(await done).toBeUndefined();
  // A void after a posting has no effect.
  expect(calls.slice(3)).toEqual(['results', 'deliver 0', 'void req_0']);
});

test('retries a failed look-up of a submission, once for all of its items', async () => {
  let tries = 0;
  const findSubmission = async () => {
    if (++tries === 1) throw new Unavailable('The store is away', 'wait');
    return known;
  };
  const { run, calls, failures, state } = setUp({ store: { findSubmission } });
  Object.assign(state, { provider: ended, results: [answerTo(0), answerTo(1)], itemsAway: [0, 1] });
  const done = [run(itemOf(0, 7)), run(itemOf(1, 7))];
  expect(await Promise.all(done)).toEqual([undefined, undefined]);
  expect({ tries, failureCount: failures.length }).toEqual({ tries: 2, failureCount: 1 });
  expect(calls.filter((call) => call.startsWith('submit'))).toEqual([]);
});

test('reads results after a restart only when all waiting items have joined', async () => {
  const { run, calls, state } = setUp();
  Object.assign(state, { provider: ended, results: [answerTo(0), answerTo(1)], itemsAway: [0, 1] });
  const first = run(itemOf(0, 7));
  await Bun.sleep(700); // long enough for a poll
  expect(calls).toEqual([]);
  expect(await Promise.all([first, run(itemOf(1, 7))])).toEqual([undefined, undefined]);
  expect(calls.filter((call) => call.startsWith('deliver'))).toEqual(['deliver 0', 'deliver 1']);
});

test('a cancel while an item is packed, grouped or sent stops it and voids its hold', async () => {
  const batch = batchOf();
  const packing = Promise.withResolvers<void>();
  const inPacking = setUp();
  inPacking.state.packing = packing.promise;
  const packed = inPacking.run(itemOf(0), { batch });
  inPacking.lane.cancel(batch);
  packing.resolve();
  expect(await packed).toBe('canceled');
  expect(inPacking.calls).toEqual(['void req_0']);

  const other = batchOf();
  const gathered = setUp();
  const waiting = gathered.run(itemOf(0), { batch: other });
  await Bun.sleep(10);
  gathered.lane.cancel(other);
  expect(await waiting).toBe('canceled');
  await Bun.sleep(300); // longer than a group waits for items
  expect(gathered.calls).toEqual(['void req_0']);

  const third = batchOf();
  const sending = Promise.withResolvers<void>();
  const sent = setUp();
  sent.state.submitting = sending.promise;
  const done = sent.run(itemOf(0), { batch: third });
  await waitFor(() => sent.calls.length === 2);
  sent.lane.cancel(third);
  sending.resolve();
  await waitFor(() => sent.calls.includes('cancel'));
  Object.assign(sent.state, { provider: ended, results: [{ customId: 'item-0', kind: 'canceled' }] });
  expect(await done).toBe('canceled');
  expect(sent.calls.at(-1)).toBe('void req_0');
});

test('cancels a batch at its provider after a restart without losing finished results', async () => {
  const { run, calls, state } = setUp();
  Object.assign(state, { provider: ended, results: [answerTo(0)], itemsAway: [0] });
  const done = run(itemOf(0, 7), { batch: batchOf({ cancelInitiatedAt: 1 }) });
  expect(await done).toBeUndefined();
  expect(calls.slice(0, 3)).toEqual(['cancel', 'results', 'deliver 0']);
});

test('retries a cancel that did not reach the provider', async () => {
  const batch = batchOf();
  let tries = 0;
  const cancel = async () => {
    if (++tries === 1) throw new Refusal('upstream_unavailable');
  };
  const { run, lane, calls, failures, state } = setUp({ transport: { cancel } });
  const done = run(itemOf(0), { batch });
  await waitFor(() => calls.includes('open'));
  lane.cancel(batch);
  await waitFor(() => tries === 2);
  Object.assign(state, { provider: ended, results: [{ customId: 'item-0', kind: 'canceled' }] });
  expect(await done).toBe('canceled');
  expect({ tries, failures }).toEqual({ tries: 2, failures: ['upstream_unavailable'] });
});

test('cancels a submission that another node has closed', async () => {
  const taken = { openSubmission: async () => false, findSubmission: async () => undefined };
  const { run, calls } = setUp({ store: taken });
  expect(await run(itemOf(0))).toMatchObject({ code: 'capacity_unavailable' });
  expect(calls.slice(1)).toEqual(['submit item-0', 'cancel', 'close', 'void req_0']);
});

test('keeps a submission and its hold until the store takes its id', async () => {
  let tries = 0;
  const openSubmission = async () => {
    if (++tries < 3) throw new Unavailable('The store is away', 'wait');
    return true;
  };
  const { run, calls, failures, state } = setUp({ store: { openSubmission } });
  Object.assign(state, { provider: ended, results: [answerTo(0)] });
  expect(await run(itemOf(0))).toBeUndefined();
  expect(calls).toEqual(['keep 0', 'submit item-0', 'results', 'deliver 0', 'void req_0']);
  expect({ tries, failureCount: failures.length }).toEqual({ tries: 3, failureCount: 2 });
});

test('a stop that ends the wait for the store leaves the submission to the next process', async () => {
  const openSubmission = async () => {
    throw new Unavailable('The store is away', 'wait');
  };
  const { lane, run, calls, failures } = setUp({ store: { openSubmission } });
  void run(itemOf(0));
  await waitFor(() => failures.length > 0);
  await lane.close();
  expect(calls).toEqual(['keep 0', 'submit item-0']);
});

test('a stop waits only for submissions in progress, whose holds it keeps', async () => {
  const sending = Promise.withResolvers<void>();
  const { lane, run, calls, state } = setUp();
  state.submitting = sending.promise;
  const controller = new AbortController();
  const first = run(itemOf(0), { signal: controller.signal });
  await waitFor(() => calls.length === 2);
  void run(itemOf(1), { signal: controller.signal });
  await Bun.sleep(10);
  const closing = lane.close();
  void run(itemOf(2), { signal: controller.signal });
  await Bun.sleep(300); // longer than a group waits for items
  expect(calls).toEqual(['keep 0', 'submit item-0']);
  sending.resolve();
  await closing;
  controller.abort();
  expect(await first).toMatchObject({ code: 'capacity_unavailable' });
  expect(calls).toEqual(['keep 0', 'submit item-0', 'open']);
});

const lost = () => {
  throw new LostAnswer(new Refusal('upstream_unavailable'));
};
const listedAs = (upstreamId: string, fields: Partial<ListedBatch> = {}): ListedBatch => ({
  upstreamId,
  mark: undefined,
  size: 1,
  ageMs: 50_000,
  ...fields,
});

test('a submission whose answer is lost is found by its mark instead of sent again', async () => {
  const { run, calls, state } = setUp({ transport: { submit: lost } });
  Object.assign(state, { provider: ended, results: [answerTo(0)] });
  state.listed = [listedAs('other', { mark: null }), listedAs('upstream', { mark: 'item', size: 9 })];
  expect(await run(itemOf(0))).toBeUndefined();
  expect(calls).toEqual(['keep 0', 'list', 'open', 'results', 'deliver 0', 'void req_0']);
});

test('a submission whose answer is lost is sent again only after two lists without it', async () => {
  const { run, calls } = setUp({ transport: { submit: lost } });
  expect(await run(itemOf(0))).toMatchObject({ code: 'upstream_unavailable' });
  expect(calls).toEqual(['keep 0', 'list', 'list', 'close', 'void req_0']);
});

test('a list that fails is read again before anything is sent again', async () => {
  let tries = 0;
  const { run, failures, state, calls } = setUp({
    transport: {
      submit: lost,
      async *list() {
        if (++tries < 2) throw new Refusal('upstream_unavailable');
        yield* state.listed;
      },
    },
  });
  Object.assign(state, { provider: ended, results: [answerTo(0)] });
  state.listed = [listedAs('upstream', { mark: 'item' })];
  expect(await run(itemOf(0))).toBeUndefined();
  expect(tries).toBe(2);
  expect(failures.at(-1)).toBe('upstream_unavailable');
  expect(calls).not.toContain('close');
});

test('without marks at the provider, batches of that time and size are compared by their results when they end', async () => {
  const compared: string[] = [];
  let polls = 0;
  const { run, state } = setUp({
    store: { listUpstreamIds: async () => ['known'] },
    transport: {
      submit: lost,
      poll: async ({ upstreamId }) => {
        if (upstreamId === 'upstream' && ++polls < 3) return { kind: 'running' };
        return { kind: 'ended', results: [] };
      },
      async *results({ upstreamId }) {
        compared.push(upstreamId);
        if (upstreamId === 'upstream') yield answerTo(0);
        if (upstreamId === 'stranger') yield { ...answerTo(0), customId: 'theirs-0' };
      },
    },
  });
  state.listed = [
    listedAs('known'),
    listedAs('larger', { size: 2 }),
    listedAs('old', { ageMs: 900_000 }),
    listedAs('stranger'),
    listedAs('empty'),
    listedAs('upstream'),
  ];
  expect(await run(itemOf(0))).toBeUndefined();
  expect(compared).toEqual(['stranger', 'empty', 'stranger', 'empty', 'upstream', 'upstream']);
});

test('after a restart, a submission without an answer is found before its items are sent again', async () => {
  const unanswered = { ...known, upstreamId: null };
  const { run, calls, state } = setUp({ store: { findSubmission: async () => unanswered } });
  Object.assign(state, { provider: ended, results: [answerTo(0), answerTo(1)], itemsAway: [0, 1] });
  state.listed = [listedAs('upstream', { mark: 'item' })];
  expect(await Promise.all([run(itemOf(0, 7)), run(itemOf(1, 7))])).toEqual([undefined, undefined]);
  expect(calls.slice(0, 3)).toEqual(['list', 'open', 'results']);
  expect(calls.filter((call) => call.startsWith('submit'))).toEqual([]);
});

test('a stop that ends a search leaves the submission to the next process', async () => {
  const controller = new AbortController();
  const { lane, run, calls, state } = setUp({
    transport: { submit: lost, poll: async () => ({ kind: 'running' }) },
  });
  state.listed = [listedAs('upstream')];
  const done = run(itemOf(0), { signal: controller.signal });
  await waitFor(() => calls.length === 3);
  await lane.close();
  controller.abort();
  expect(await done).toMatchObject({ code: 'capacity_unavailable' });
  expect(calls).toEqual(['keep 0', 'list', 'list']);
});
