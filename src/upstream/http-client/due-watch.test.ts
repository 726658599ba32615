import { expect, test } from 'bun:test';
import { DueWatch } from './due-watch.ts';

const now = () => performance.now();

test('expires deadlines that are due unless they were moved or removed', async () => {
  const watch = new DueWatch();
  const reported: string[] = [];
  const waited = (name: string, inMs: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const expire = () => {
      reported.push(name);
      resolve();
    };
    return { due: now() + inMs, isAbandoned: false, expire, expired: promise };
  };
  const late = waited('last', 60_000);
  const moved = waited('moved', 10);
  const gone = waited('gone', 10);
  const first = waited('first', 20);
  const places = [late, moved, gone, first].map((each) => watch.add(each));
  moved.due = now() + 60_000;
  watch.leave(places[2]!);
  await first.expired;
  expect(reported).toEqual(['first']);
  for (const each of [moved, late]) {
    each.due = now();
    watch.sooner(each.due);
    await each.expired;
  }
  expect(reported).toEqual(['first', 'moved', 'last']);
  watch.close();
});

test('goes on if the look at one deadline removes another', async () => {
  const watch = new DueWatch();
  const { promise: expired, resolve: expire } = Promise.withResolvers<void>();
  const other = { due: now() + 60_000, isAbandoned: false, expire() {} };
  let otherPlace: ReturnType<typeof watch.add> | undefined;
  watch.add({
    due: now() + 20,
    get isAbandoned() {
      watch.leave(otherPlace!);
      return false;
    },
    expire,
  });
  otherPlace = watch.add(other);
  await expired;
  watch.close();
});
