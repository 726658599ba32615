import { expect, test } from 'bun:test';
import { BodyGate, type Booking } from './body-gate.ts';
import { UnderWay } from './under-way.ts';

/** Books and tells at any later time what came of it: a booking, null while it waits, undefined when it was turned away. */
function visit(gate: BodyGate, bytes: number): { booking: Booking | null | undefined } {
  const visit: { booking: Booking | null | undefined } = { booking: null };
  void gate.book(bytes).then((booking) => {
    visit.booking = booking;
  });
  return visit;
}

const settle = () => Bun.sleep(1);
const gateOf = (capacityBytes: number) =>
  new BodyGate({ capacityBytes, timeoutMs: 60_000, underWay: new UnderWay() });

test('bodies together hold no more than the gate has: the rest waits, and gets in', async () => {
  const gate = gateOf(3_000);
  const first = visit(gate, 2_000);
  const second = visit(gate, 2_000);
  const whole = visit(gate, 10_000);
  await settle();
  expect([second.booking, whole.booking]).toEqual([null, null]);
  first.booking!.free();
  await settle();
  expect(second.booking).toBeTruthy();
  second.booking!.free();
  await settle();
  expect(whole.booking).toBeTruthy(); // larger than the whole gate: alone
  gate.close();
});

test('what is given back twice, or more than was held, makes no room that is not there', async () => {
  const gate = gateOf(3_000);
  const first = visit(gate, 3_000);
  await settle();
  first.booking!.shrink(2_000);
  first.booking!.shrink(2_500);
  const tooMuch = visit(gate, 1_001);
  const fits = visit(gate, 1_000);
  await settle();
  expect(tooMuch.booking).toBeNull();
  fits.booking!.free();
  fits.booking!.free();
  await settle();
  expect(tooMuch.booking).toBeNull();
  gate.close();
});

test('a smaller body overtakes a larger one that waits', async () => {
  const gate = gateOf(3_000);
  visit(gate, 2_000);
  const large = visit(gate, 3_000);
  const small = visit(gate, 1_000);
  await settle();
  expect(large.booking).toBeNull();
  expect(small.booking).toBeTruthy();
  gate.close();
});

test('room that comes free is kept for a body that has waited for long', async () => {
  const gate = gateOf(3_000);
  const first = visit(gate, 3_000);
  await settle();
  const large = visit(gate, 2_000);
  const small = visit(gate, 1_000);
  const realNow = performance.now;
  performance.now = () => realNow.call(performance) + 6_000;
  first.booking!.shrink(2_000);
  await settle();
  expect([large.booking, small.booking]).toEqual([null, null]);
  first.booking!.free();
  await settle();
  performance.now = realNow;
  expect(large.booking).toBeTruthy();
  expect(small.booking).toBeTruthy();
  gate.close();
});

test('who has waited as long as a body may take to arrive is turned away', async () => {
  const gate = gateOf(3_000);
  visit(gate, 3_000);
  const late = visit(gate, 1_000);
  gate.sweep(performance.now() + 59_000);
  await settle();
  expect(late.booking).toBeNull();
  gate.sweep(performance.now() + 61_000);
  await settle();
  expect(late.booking).toBeUndefined();
  gate.close();
});
