import { expect, test } from 'bun:test';
import { QueueReview } from './queue-review.ts';

function setUp() {
  const queue = {
    size: 10,
    reviews: 0,
    reconsider() {
      this.reviews++;
    },
  };
  return { queue, review: new QueueReview(queue) };
}

test('a target that comes and goes does not make all who wait choose again each time', () => {
  const { queue, review } = setUp();
  for (let turn = 0; turn < 1_000; turn++) review.soon();
  expect(queue.reviews).toBe(1);
});

test('what happens soon after a review is looked at a little later', async () => {
  const { queue, review } = setUp();
  review.soon();
  review.soon();
  while (queue.reviews < 2) await Bun.sleep(20);
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

test('when a pause is over there is a review, for each of them', async () => {
  const { queue, review } = setUp();
  review.in(2_000);
  review.in(10);
  while (queue.reviews < 2) await Bun.sleep(20);
  expect(queue.reviews).toBe(2);
});
