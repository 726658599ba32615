import { expect, test } from 'bun:test';
import { DescriptorWatch } from './descriptor-watch.ts';
import { Descriptors } from './descriptors.ts';

function watchOf() {
  const reported: string[] = [];
  const state = { inUse: 0, crowded: 0 };
  const watch = new DescriptorWatch({
    descriptors: { limit: 100, isCheap: true, inUse: () => state.inUse, share: (inUse) => inUse! / 80 },
    onChange: (isShort, { in_use, limit }) =>
      reported.push(`${isShort ? 'short' : 'enough'} ${in_use} of ${limit}`),
  });
  watch.close(); // the test takes the samples itself
  let isOpen = true;
  watch.guard({
    relieve: () => {
      const closed = state.crowded;
      state.inUse -= closed;
      state.crowded = 0;
      return closed;
    },
    suspend: () => {
      isOpen = false;
    },
    resume: () => {
      isOpen = true;
    },
  });
  const at = (inUse: number) => {
    state.inUse = inUse;
    watch.sample();
    return isOpen;
  };
  return { reported, at, watch, state };
}

test('suspends connections from the reserve on until enough descriptors are free', () => {
  const { at } = watchOf();
  expect([10, 70, 79, 80, 95, 70, 68, 67, 79].map(at)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    true,
    true,
  ]);
});

test('samples again after closing a crowd, before it suspends connections', async () => {
  const { at, state } = watchOf();
  state.crowded = 50;
  expect(at(90)).toBe(true);
  expect(at(90)).toBe(false);
  state.crowded = 50;
  state.inUse = 90;
  expect(at(90)).toBe(false);
  await Bun.sleep(50);
  expect(at(state.inUse)).toBe(true);
});

test('reports the start and the end of a shortage', () => {
  const { at, reported, watch } = watchOf();
  for (const inUse of [10, 63, 64, 70, 90, 60, 57, 64, 56, 55, 20]) at(inUse);
  expect(reported).toEqual(['short 64 of 100', 'enough 55 of 100']);
  expect(watch.share).toBe(0.25);
});

test.if(process.platform === 'linux')('reserves some of the descriptors of this process', () => {
  const descriptors = new Descriptors();
  const before = descriptors.inUse();
  const opened = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
  expect(before).toBeGreaterThan(2);
  expect(descriptors.inUse()).toBe(before + 1);
  opened.stop(true);
  expect(descriptors.limit).toBeGreaterThan(before);
  expect(descriptors.areGone()).toBe(false);
  expect(new Descriptors(before).areGone()).toBe(true);
  expect(new Descriptors(160).share(140)).toBe(1);
  expect(new Descriptors(6_400).share(6_336)).toBe(1);
});
