import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { sampleOrder } from '../../store/testing/conformance/sample-ledger.ts';
import type { Hold, HoldOrder, Shortage } from '../ledger/hold.ts';
import type { GateAnswer, GateOrder } from './gate.ts';
import type { LimitFigures } from './limit-figures.ts';
import { type LimitedRequest, Limiter } from './limiter.ts';
import { LocalGate } from './local-gate.ts';

const figures: LimitFigures = {
  requestsPerMinute: 2,
  requestsPer5Minutes: 3,
  concurrent: 2,
  tokensPerMinute: 1_000,
  networkRequestsPerMinute: 2,
  storedMb: null,
};
const key = { id: 'key_1', limits: { requestsPerMin: 2, tokensPerMin: 500, concurrent: 2 } };
const short: Shortage = { shortage: 'period-used-up', usedMicrocredits: 1, givenMicrocredits: 1 };

function setUp({ isShort = false } = {}) {
  const open = new Set<Hold>();
  const ledger = {
    afford: () => (isShort ? short : 7),
    hold(order: HoldOrder) {
      if (isShort) return short;
      const hold = { order, microcredits: 7 };
      open.add(hold);
      return hold;
    },
    void: (hold: Hold) => void open.delete(hold),
  };
  const gate = new LocalGate(ledger, new Limiter({ now: () => 1_800_000_000_000 }));
  const request = { accountId: 'acct_1', figures, key, network: 'n', requests: 1, tokens: 100 };
  const order = (fields: Partial<LimitedRequest> = {}): GateOrder => ({
    credit: sampleOrder(),
    limits: { ...request, isConcurrent: true, ...fields },
    versions: { account: 1, key: 1 },
  });
  const admit = (asked: GateOrder = order()) => gate.decide(asked) as GateAnswer;
  const left = () => gate.stateOf('acct_1', figures, key);
  return { gate, open, order, admit, left };
}

test('admits a request in one step, with its hold and its count', () => {
  const { admit, open, left } = setUp();
  const admitted = admit();
  expect(admitted).toMatchObject({ kind: 'admitted', hold: { microcredits: 7 } });
  expect(open.size).toBe(1);
  expect(left().requests.remaining).toBe(1);
  expect(left().tokens.remaining).toBe(400);
});

test('reports a shortage before a limit and takes nothing for either', () => {
  const { admit, gate, order, left } = setUp({ isShort: true });
  expect(admit(order({ requests: 99 }))).toEqual({ kind: 'shortage', shortage: short });
  expect(gate.ask(order({ requests: 99 }))).toEqual({ kind: 'shortage', shortage: short });
  expect(left().requests.remaining).toBe(2);
});

test('holds no credit for a request that a limit refuses', () => {
  const { admit, gate, order, open } = setUp();
  admit();
  admit();
  expect(gate.ask(order())).toMatchObject({ kind: 'limited', refusal: { code: 'rate_limit_exceeded' } });
  expect(admit()).toMatchObject({ kind: 'limited', refusal: { code: 'rate_limit_exceeded' } });
  expect(open.size).toBe(2);
});

test('takes nothing for a question', () => {
  const { gate, order, open, left } = setUp();
  for (let count = 0; count < 9; count++)
    expect(gate.ask(order())).toEqual({ kind: 'affordable', microcredits: 7 });
  expect({ count: open.size, remaining: left().requests.remaining }).toEqual({ count: 0, remaining: 2 });
});

test('gives everything back for a request that is withdrawn: requests, tokens, the network and the place', () => {
  const { admit, left } = setUp();
  for (let count = 0; count < 9; count++) {
    const admitted = admit();
    if (admitted.kind !== 'admitted') throw new Error(`refused at ${count}`);
    admitted.count.withdraw();
    admitted.count.release();
  }
  expect(left().requests.remaining).toBe(2);
  expect(left().tokens.remaining).toBe(500);
});

test('applies no limits to a request of a batch', () => {
  const { admit, order, left } = setUp();
  for (let count = 0; count < 9; count++)
    expect(admit({ ...order(), limits: undefined }).kind).toBe('admitted');
  expect(left().requests.remaining).toBe(2);
});

test('counts requests that need no credit', () => {
  const { gate, order, open } = setUp();
  const take = () => gate.take({ limits: order().limits!, versions: { account: 1, key: 1 } });
  expect([take(), take(), take()].map((taken) => taken instanceof Refusal)).toEqual([false, false, true]);
  expect(open.size).toBe(0);
});
