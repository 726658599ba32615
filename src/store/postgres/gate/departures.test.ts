import { beforeEach, expect, test } from 'bun:test';
import { StoreProblem } from '../../store-problem.ts';
import { type Departure, Departures } from './departures.ts';
import type { GateOp } from './gate-op.ts';

const figures = {
  requestsPerMinute: 1,
  requestsPer5Minutes: 1,
  concurrent: 1,
  tokensPerMinute: 1,
  networkRequestsPerMinute: null,
  storedMb: null,
};
const limits = {
  accountId: 'acct_1',
  figures,
  network: undefined,
  requests: 1,
  tokens: 10,
  isConcurrent: true,
};
const op: GateOp = {
  kind: 'release',
  limits,
  returns: { takenAt: 1, endsConcurrency: true, tokens: undefined, isUncounted: false },
};
const departureOf = (node: string): Departure => ({ op, node, counted: Promise.withResolvers() });

const counted = [{ answer: JSON.stringify({ now: 5, a: [['ok', 0]], s: [], b: [], m: [] }) }];
const answered = (value: { answer: string }[]) => ({ status: 'fulfilled' as const, value });
const lost = { status: 'rejected' as const, reason: new StoreProblem('The connection broke', 'check it') };

let calls: { isWorking: boolean; isClosed: boolean; era: string; send(op: GateOp): Promise<never> };
let alone: GateOp[];
let decided: GateOp[];
let repeated: unknown[][];
let departures: Departures;

beforeEach(() => {
  [alone, decided, repeated] = [[], [], []];
  const send = (one: GateOp) => {
    alone.push(one);
    return Promise.reject(lost.reason);
  };
  calls = { isWorking: false, isClosed: false, era: 'era', send };
  departures = new Departures({
    calls,
    identity: { id: () => 'node_1', closed: () => {} },
    decided: (one) => void decided.push(one),
    observed: () => {},
    database: {
      async first(_, values) {
        repeated.push([...values!]);
        if (repeated.length === 1) throw lost.reason;
        return counted[0];
      },
    },
  });
});

test('the end of a count travels with its settlement and counts once', async () => {
  const departure = departureOf('node_1');
  const ride = departures.board([departure])!;
  departures.arrive(ride, answered(counted));
  departures.arrive(ride, answered(counted));
  departures.end(ride);
  await departure.counted.promise;
  expect([decided, alone, repeated]).toEqual([[op], [], []]);
});

test('a call whose answer was lost is repeated under its number, even after its settlement has ended', async () => {
  const departure = departureOf('node_1');
  const ride = departures.board([departure])!;
  departures.arrive(ride, lost);
  expect(ride.isOver).toBe(false);
  departures.end(ride);
  await departure.counted.promise;
  expect([decided, repeated]).toEqual([[op], Array(2).fill(ride.statement.values)]);
  const [, , lane] = ride.statement.values!;
  expect(departures.board([departureOf('node_1')])!.statement.values![2]).not.toBe(lane!);
});

test('while the gate is busy, the end of a count leaves with its next call', async () => {
  calls.isWorking = true;
  const departure = departureOf('node_1');
  expect(departures.board([departure])).toBeUndefined();
  await departure.counted.promise;
  expect(alone).toEqual([op]);
});

test('the end of a count leaves alone if the database has lost its windows', async () => {
  const departure = departureOf('node_1');
  const ride = departures.board([departure])!;
  departures.arrive(ride, answered([{ answer: '{"era":true}' }]));
  await departure.counted.promise;
  expect([ride.isOver, alone, decided]).toEqual([true, [op], []]);
});

test('a closed node gives nothing back, since its places have returned', async () => {
  const before = departureOf('node_0');
  expect(departures.board([before])).toBeUndefined();
  await before.counted.promise;
  const departure = departureOf('node_1');
  const ride = departures.board([departure])!;
  departures.arrive(ride, answered([{ answer: '{"closed":true}' }]));
  await departure.counted.promise;
  expect([alone, decided, repeated]).toEqual([[], [], []]);
});
