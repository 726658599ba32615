import { expect, test } from 'bun:test';
import { QueueReview } from './queue-review.ts';

/** A clock that the test moves. */
class HandClock {
  #now = 1_000;
  #calls: { at: number; call: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(delayMs: number, call: () => void): void {
    this.#calls.push({ at: this.#now + delayMs, call });
  }

  move(ms: number): void {
    this.#now += ms;
    const due = this.#calls.filter(({ at }) => at <= this.#now);
    this.#calls = this.#calls.filter(({ at }) => at > this.#now);
    for (const { call } of due) call();
  }
}

function setUp() {
  const queue = {
    size: 10,
    reviews: 0,
    reconsider() {
      this.reviews++;
    },
  };
  const clock = new HandClock();
  return { queue, clock, review: new QueueReview(queue, clock) };
}

test('does not review the queue on every change of an unstable target', () => {
  const { queue, review } = setUp();
  for (let turn = 0; turn < 1_000; turn++) review.soon();
  expect(queue.reviews).toBe(1);
});

test('reviews changes shortly after a review once, a little later', () => {
  const { queue, clock, review } = setUp();
  review.soon();
  review.soon();
  review.soon();
  clock.move(10);
  expect(queue.reviews).toBe(1);
  clock.move(30);
  expect(queue.reviews).toBe(2);
  clock.move(1_000);
  expect(queue.reviews).toBe(2);
});

test('waits longer between reviews if the queue is longer', () => {
  const { queue, clock, review } = setUp();
  queue.size = 10_000;
  review.soon();
  review.soon();
  clock.move(900);
  expect(queue.reviews).toBe(1);
  clock.move(120);
  expect(queue.reviews).toBe(2);
});

test('reviews the queue at once after a change by the operator', () => {
  const { queue, review } = setUp();
  review.soon();
  review.now();
  expect(queue.reviews).toBe(2);
});

test('does not review an empty queue', () => {
  const { queue, review } = setUp();
  queue.size = 0;
  review.soon();
  expect(queue.reviews).toBe(0);
});

test('reviews the queue at the end of each pause', () => {
  const { queue, clock, review } = setUp();
  review.in(2_000);
  review.in(10);
  clock.move(30);
  expect(queue.reviews).toBe(1);
  clock.move(2_000);
  expect(queue.reviews).toBe(2);
});

test('runs a due review by the system clock', async () => {
  const queue = { size: 1, reconsider: () => reviewed.resolve() };
  const reviewed = Promise.withResolvers<void>();
  new QueueReview(queue).in(1);
  await reviewed.promise;
});

test('is overdue from a change until the queued requests have chosen again', () => {
  const { clock, review } = setUp();
  review.soon();
  expect(review.isOverdue).toBe(false);
  clock.move(1);
  review.soon();
  expect(review.isOverdue).toBe(true);
  clock.move(30);
  expect(review.isOverdue).toBe(false);
  review.in(45);
  clock.move(44);
  expect(review.isOverdue).toBe(false);
  review.in(200);
  review.now();
  clock.move(1);
  expect(review.isOverdue).toBe(true);
  review.now();
  expect(review.isOverdue).toBe(false);
});
