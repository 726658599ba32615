import { expect, test } from 'bun:test';
import { NodeClosed } from '../../base/errors/node-closed.ts';
import { Unavailable } from '../../base/errors/unavailable.ts';
import type { Hold } from '../../money/ledger/hold.ts';
import type { Posting } from '../../money/ledger/ledger-store.ts';
import type { PostingSpool } from '../../money/ledger/posting-spool.ts';
import { NoSpool } from '../../store/spool/no-spool.ts';
import { sampleOrder, samplePosting } from '../../store/testing/conformance/sample-ledger.ts';
import { Postings } from './postings.ts';

const away = () => new Unavailable('The store is away', 'bring it back');

const idOf = ({ order }: Hold): string => order.requestId;

/** Opens postings in front of a store and a spool that a test can make fail. */
function openPostings(spool?: PostingSpool) {
  const faults = { isAway: false, isClosed: false, isSpoolFull: false };
  const seen = {
    posted: [] as string[],
    replayed: [] as string[],
    voided: [] as string[],
    logged: [] as string[],
  };
  const clock = { nowMs: 0 };
  const waiting = new Map<string, Posting>();
  const postings = new Postings({
    ledger: {
      async post({ hold }) {
        if (faults.isAway) throw away();
        if (faults.isClosed) throw new NodeClosed('node_1');
        seen.posted.push(idOf(hold));
      },
      replay: async (late) => void seen.replayed.push(...late.map(({ hold }) => idOf(hold))),
      void: (hold) => void seen.voided.push(idOf(hold)),
      checkpoint: async () => {},
    },
    spool: spool ?? {
      waiting,
      async append(posting) {
        if (faults.isSpoolFull) throw away();
        waiting.set(idOf(posting.hold), posting);
      },
      async remove(ids) {
        for (const id of ids) waiting.delete(id);
      },
    },
    storeProblem: async () => (faults.isAway ? 'away' : undefined),
    now: () => clock.nowMs,
    log: (event) => void seen.logged.push(event),
  });
  return { postings, faults, seen, clock, waiting, sweep: () => postings.checkpoint([]) };
}

const postingOf = (requestId: string): Posting =>
  samplePosting({ order: sampleOrder({ requestId }), microcredits: 5 }, 7);

test('writes postings to the spool until the store is available again', async () => {
  const { postings, faults, seen, waiting, sweep } = openPostings();
  faults.isAway = true;
  await postings.post(postingOf('req_1'));
  await postings.post(postingOf('req_2'));
  await sweep();
  expect({ posted: seen.posted, spooled: [...waiting.keys()], logged: seen.logged }).toEqual({
    posted: [],
    spooled: ['req_1', 'req_2'],
    logged: ['spooling'],
  });
  faults.isAway = false;
  await postings.post(postingOf('req_3'));
  await sweep();
  expect(seen.posted).toEqual(['req_3', 'req_1', 'req_2']);
  expect(waiting.size).toBe(0);
  expect(seen.logged.at(-1)).toBe('spool-drained');
  await sweep();
  expect(seen.posted).toHaveLength(3);
});

test('reports when a posting has moved from the spool to the store', async () => {
  const { postings, faults, seen, sweep } = openPostings();
  faults.isAway = true;
  await postings.post(postingOf('req_1'));
  let hasMoved = false;
  const moved = postings.whenMoved('req_1')!.then(() => {
    hasMoved = true;
  });
  await sweep();
  expect(hasMoved).toBe(false);
  expect(postings.whenMoved('req_2')).toBeUndefined();
  faults.isAway = false;
  await sweep();
  await moved;
  expect(seen.posted).toEqual(['req_1']);
  expect(postings.whenMoved('req_1')).toBeUndefined();
});

test('refuses new requests after the store has been unavailable for 30 s, until it returns', async () => {
  const { postings, faults, clock, sweep } = openPostings();
  faults.isAway = true;
  await postings.post(postingOf('req_1'));
  clock.nowMs = 30_000;
  expect(postings.problem()).toBeUndefined();
  clock.nowMs = 30_001;
  expect(postings.problem()?.message).toContain(
    'has been unavailable for 30 s. Settlements that wait for it: 1',
  );
  faults.isAway = false;
  await sweep();
  expect(postings.problem()).toBeUndefined();
});

test('refuses new requests while 10,000 settlements are waiting', async () => {
  const { postings, faults, seen, sweep } = openPostings();
  faults.isAway = true;
  for (let count = 0; count < 9_999; count++) await postings.post(postingOf(`req_${count}`));
  expect(postings.problem()).toBeUndefined();
  await postings.post(postingOf('req_last'));
  expect(postings.problem()).toBeInstanceOf(Unavailable);
  faults.isAway = false;
  await sweep();
  expect(seen.posted).toHaveLength(10_000);
  expect(postings.problem()).toBeUndefined();
});

test('a posting that store and spool refuse keeps its hold and stops new requests until the store returns', async () => {
  const { postings, faults, seen, sweep } = openPostings();
  faults.isAway = true;
  faults.isSpoolFull = true;
  const posting = postingOf('req_1');
  expect(await postings.post(posting).catch((error: unknown) => error)).toBeInstanceOf(Unavailable);
  postings.void(posting.hold);
  await sweep();
  expect({ voided: seen.voided, logged: seen.logged }).toEqual({
    voided: [],
    logged: ['spooling', 'spool-failed'],
  });
  expect(postings.problem()).toBeInstanceOf(Unavailable);
  faults.isAway = false;
  await sweep();
  expect(seen.voided).toEqual(['req_1']);
  expect(seen.posted).toEqual([]);
  expect(postings.problem()).toBeUndefined();
});

test("does not spool a batch's item, which is written with its result or retried", async () => {
  const { postings, faults, waiting } = openPostings();
  faults.isAway = true;
  const job = {} as NonNullable<Posting['job']>;
  const failed = await postings.post({ ...postingOf('req_1'), job }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(Unavailable);
  expect(waiting.size).toBe(0);
});

test('releases a hold without a posting at once', () => {
  const { postings, seen } = openPostings();
  postings.void(postingOf('req_1').hold);
  expect(seen.voided).toEqual(['req_1']);
});

test('does not spool the settlement of a request that another node has ended', async () => {
  const { postings, faults, waiting } = openPostings();
  faults.isClosed = true;
  const failed = await postings.post(postingOf('req_1')).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(NodeClosed);
  expect(waiting.size).toBe(0);
  expect(postings.problem()).toBeUndefined();
});

test('posts what a node had spooled before it was closed, without its holds', async () => {
  const { postings, faults, seen, waiting, sweep } = openPostings();
  faults.isAway = true;
  await postings.post(postingOf('req_1'));
  faults.isAway = false;
  faults.isClosed = true;
  await sweep();
  expect({ ...seen, waiting: waiting.size }).toMatchObject({ posted: [], replayed: ['req_1'], waiting: 0 });
});

test('a node without a spool leaves an answer that cannot be posted to its error', async () => {
  const { postings, faults, seen, sweep } = openPostings(new NoSpool());
  faults.isAway = true;
  const posting = postingOf('req_1');
  expect(await postings.post(posting).catch((error: unknown) => error)).toBeInstanceOf(Unavailable);
  postings.void(posting.hold);
  await sweep();
  expect(postings.problem()).toBeUndefined();
  expect(seen).toMatchObject({ voided: [], logged: [] });
  faults.isAway = false;
  await sweep();
  expect(seen).toMatchObject({ voided: ['req_1'], logged: [] });
});
