import { expect, test } from 'bun:test';
import { DueWatch } from './due-watch.ts';

const now = () => performance.now();

test('expires deadlines in order, and skips moved and removed ones', async () => {
  const watch = new DueWatch();
  const told: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const waited = (name: string, inMs: number) => ({
    due: now() + inMs,
    isForsaken: false,
    expire: () => {
      told.push(name);
      if (name === 'last') resolve();
    },
  });
  const [late, moved, gone] = [waited('last', 60), waited('moved', 10), waited('gone', 10)];
  const places = [late, moved, gone, waited('first', 20)].map((each) => watch.add(each));
  moved.due = now() + 60_000;
  watch.leave(places[2]!);
  await promise;
  expect(told).toEqual(['first', 'last']);
  moved.due = now();
  watch.sooner(moved.due);
  await Bun.sleep(30);
  expect(told).toEqual(['first', 'last', 'moved']);
  watch.close();
});
