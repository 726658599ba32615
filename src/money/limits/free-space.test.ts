import { expect, test } from 'bun:test';
import { type FreeBytes, FreeSpace } from './free-space.ts';

const MB = 1024 * 1024;

function start(first: FreeBytes) {
  const logged: [string, Record<string, unknown>][] = [];
  const state: { free: FreeBytes | Error } = { free: first };
  const space = new FreeSpace({
    measure: async () => {
      if (state.free instanceof Error) throw state.free;
      return state.free;
    },
    floorBytes: () => 100 * MB,
    log: (event, facts) => logged.push([event, facts]),
  });
  const look = async (onDisk: number, inside = 0): Promise<boolean> => {
    state.free = { onDisk: onDisk * MB, inside: inside * MB };
    await space.look();
    return space.isLow;
  };
  return { space, logged, look, state };
}

test('space below the floor is reported as low until a tenth more is free', async () => {
  const { space, logged, look } = start({ onDisk: 0, inside: 0 });
  expect(await look(100)).toBe(false);
  expect(await look(99)).toBe(true);
  expect(await look(50)).toBe(true);
  expect(await look(109)).toBe(true);
  expect(await look(110)).toBe(false);
  expect(logged).toEqual([
    ['disk-space-low', { free_mb: 99, min_free_mb: 100 }],
    ['disk-space-recovered', { free_mb: 110, min_free_mb: 100 }],
  ]);
  space.close();
});

test('unknown space is not low', async () => {
  const space = new FreeSpace({
    measure: async () => undefined,
    floorBytes: () => 100 * MB,
    log: () => expect.unreachable(),
  });
  await space.look();
  expect(space).toMatchObject({ isLow: false, free: undefined });
  space.close();
});

test('free pages in the file count, but the log needs room on the disk', async () => {
  const { space, look } = start({ onDisk: 0, inside: 0 });
  expect(await look(30, 80)).toBe(false);
  expect(await look(24, 1_000)).toBe(true);
  expect(await look(28, 1_000)).toBe(false);
  space.close();
});

test('a failed measurement changes nothing', async () => {
  const { space, look, state, logged } = start({ onDisk: 0, inside: 0 });
  expect(await look(10)).toBe(true);
  state.free = new Error('gone');
  await space.look();
  expect({ isLow: space.isLow, free: space.free, length: logged.length }).toEqual({
    isLow: true,
    free: undefined,
    length: 1,
  });
  space.close();
});
