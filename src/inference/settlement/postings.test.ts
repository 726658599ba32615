import { beforeEach, expect, test } from 'bun:test';
import { NodeClosed } from '../../base/errors/node-closed.ts';
import { Unavailable } from '../../base/errors/unavailable.ts';
import type { Hold } from '../../money/ledger/hold.ts';
import type { Posting } from '../../money/ledger/ledger-store.ts';
import { NoSpool } from '../../store/spool/no-spool.ts';
import { sampleOrder, samplePosting } from '../../store/testing/conformance/sample-ledger.ts';
import { Postings } from './postings.ts';

const away = () => new Unavailable('The store is away', 'bring it back');

let isAway: boolean;
let isClosed: boolean;
let isSpoolFull: boolean;
let now: number;
let posted: string[];
let replayed: string[];
let voided: string[];
let logged: string[];
let waiting: Map<string, Posting>;
let postings: Postings;

const idOf = ({ order }: Hold): string => order.requestId;

beforeEach(() => {
  [isAway, isSpoolFull, now] = [false, false, 0];
  [posted, voided, logged, waiting] = [[], [], [], new Map()];
  [isClosed, replayed] = [false, []];
  postings = new Postings({
    ledger: {
      async post({ hold }) {
        if (isAway) throw away();
        if (isClosed) throw new NodeClosed('node_1');
        posted.push(idOf(hold));
      },
      replay: async (late) => void replayed.push(...late.map(({ hold }) => idOf(hold))),
      void: (hold) => void voided.push(idOf(hold)),
      checkpoint: async () => {},
    },
    spool: {
      waiting,
      async append(posting) {
        if (isSpoolFull) throw away();
        waiting.set(idOf(posting.hold), posting);
      },
      async remove(ids) {
        for (const id of ids) waiting.delete(id);
      },
    },
    storeProblem: async () => (isAway ? 'away' : undefined),
    now: () => now,
    log: (event) => void logged.push(event),
  });
});

const postingOf = (requestId: string): Posting =>
  samplePosting({ order: sampleOrder({ requestId }), microcredits: 5 }, 7);
const sweep = () => postings.checkpoint([]);

test('writes postings to the spool until the store is available again', async () => {
  isAway = true;
  await postings.post(postingOf('req_1'));
  await postings.post(postingOf('req_2'));
  await sweep();
  expect({ posted, keys: [...waiting.keys()], logged }).toEqual({
    posted: [],
    keys: ['req_1', 'req_2'],
    logged: ['spooling'],
  });
  isAway = false;
  await postings.post(postingOf('req_3'));
  await sweep();
  expect([posted, waiting.size, logged.at(-1)]).toEqual([['req_3', 'req_1', 'req_2'], 0, 'spool-drained']);
  await sweep();
  expect(posted).toHaveLength(3);
});

test('reports when a posting has moved from the spool to the store', async () => {
  isAway = true;
  await postings.post(postingOf('req_1'));
  let hasMoved = false;
  const moved = postings.whenMoved('req_1')!.then(() => {
    hasMoved = true;
  });
  await sweep();
  expect([hasMoved, postings.whenMoved('req_2')]).toEqual([false, undefined]);
  isAway = false;
  await sweep();
  await moved;
  expect([posted, postings.whenMoved('req_1')]).toEqual([['req_1'], undefined]);
});

test('refuses new requests after the store has been unavailable for 30 s, until it returns', async () => {
  isAway = true;
  await postings.post(postingOf('req_1'));
  now = 30_000;
  expect(postings.problem()).toBeUndefined();
  now = 30_001;
  expect(postings.problem()?.message).toContain(
    'has been unavailable for 30 s. Settlements that wait for it: 1',
  );
  isAway = false;
  await sweep();
  expect(postings.problem()).toBeUndefined();
});

test('refuses new requests while 10,000 settlements are waiting', async () => {
  isAway = true;
  for (let count = 0; count < 9_999; count++) await postings.post(postingOf(`req_${count}`));
  expect(postings.problem()).toBeUndefined();
  await postings.post(postingOf('req_last'));
  expect(postings.problem()).toBeInstanceOf(Unavailable);
  isAway = false;
  await sweep();
  expect([posted.length, postings.problem()]).toEqual([10_000, undefined]);
});

test('a posting that store and spool refuse keeps its hold and stops new requests until the store returns', async () => {
  [isAway, isSpoolFull] = [true, true];
  const posting = postingOf('req_1');
  expect(await postings.post(posting).catch((error: unknown) => error)).toBeInstanceOf(Unavailable);
  postings.void(posting.hold);
  await sweep();
  expect({ voided, logged }).toEqual({ voided: [], logged: ['spooling', 'spool-failed'] });
  expect(postings.problem()).toBeInstanceOf(Unavailable);
  isAway = false;
  await sweep();
  expect([voided, posted, postings.problem()]).toEqual([['req_1'], [], undefined]);
});

test("does not spool a batch's item, which is written with its result or retried", async () => {
  isAway = true;
  const job = {} as NonNullable<Posting['job']>;
  const failed = await postings.post({ ...postingOf('req_1'), job }).catch((error: unknown) => error);
  expect([failed instanceof Unavailable, waiting.size]).toEqual([true, 0]);
});

test('releases a hold without a posting at once', () => {
  postings.void(postingOf('req_1').hold);
  expect(voided).toEqual(['req_1']);
});

test('does not spool the settlement of a request that another node has ended', async () => {
  isClosed = true;
  const failed = await postings.post(postingOf('req_1')).catch((error: unknown) => error);
  expect([failed instanceof NodeClosed, waiting.size, postings.problem()]).toEqual([true, 0, undefined]);
});

test('posts what a node had spooled before it was closed, without its holds', async () => {
  isAway = true;
  await postings.post(postingOf('req_1'));
  [isAway, isClosed] = [false, true];
  await sweep();
  expect({ posted, replayed, count: waiting.size }).toEqual({ posted: [], replayed: ['req_1'], count: 0 });
});

test('a node without a spool ends the answer with an error, and leaves later requests to the store', async () => {
  const lone = new Postings({
    ledger: {
      post: () => Promise.reject(away()),
      replay: async () => {},
      void: (hold) => void voided.push(idOf(hold)),
      checkpoint: async () => {},
    },
    spool: new NoSpool(),
    storeProblem: async () => (isAway ? 'away' : undefined),
    now: () => now,
    log: (event) => void logged.push(event),
  });
  isAway = true;
  const posting = postingOf('req_1');
  expect(await lone.post(posting).catch((error: unknown) => error)).toBeInstanceOf(Unavailable);
  lone.void(posting.hold);
  await lone.checkpoint([]);
  expect([lone.problem(), voided, logged]).toEqual([undefined, [], []]);
  isAway = false;
  await lone.checkpoint([]);
  expect({ voided, logged }).toEqual({ voided: ['req_1'], logged: [] });
});
