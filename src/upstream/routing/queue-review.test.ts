import { expect, test } from 'bun:test';
import { QueueReview } from './queue-review.ts';

/** A clock that stands still until it is moved. */
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

test('a target that comes and goes does not make all who wait choose again each time', () => {
  const { queue, review } = setUp();
  for (let turn = 0; turn < 1_000; turn++) review.soon();
  expect(queue.reviews).toBe(1);
});

test('what happens soon after a review is looked at a little later, once', () => {
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

test('the more there are who wait, the longer it is until the next review', () => {
  const { queue, clock, review } = setUp();
  queue.size = 10_000;
  review.soon();
  review.soon();
  clock.move(900);
  expect(queue.reviews).toBe(1);
  clock.move(120);
  expect(queue.reviews).toBe(2);
});

test('what the operator changes acts at once', () => {
  const { queue, review } = setUp();
  review.soon();
  review.now();
  expect(queue.reviews).toBe(2);
});

test('where nobody waits there is nothing to look at', () => {
  const { queue, review } = setUp();
  queue.size = 0;
  review.soon();
  expect(queue.reviews).toBe(0);
});

test('when a pause is over there is a review, for each of them', () => {
  const { queue, clock, review } = setUp();
  review.in(2_000);
  review.in(10);
  clock.move(30);
  expect(queue.reviews).toBe(1);
  clock.move(2_000);
  expect(queue.reviews).toBe(2);
});

test('by the system clock a review that is due comes by itself', async () => {
  const queue = { size: 1, reconsider: () => reviewed.resolve() };
  const reviewed = Promise.withResolvers<void>();
  new QueueReview(queue).in(1);
  await reviewed.promise;
});
