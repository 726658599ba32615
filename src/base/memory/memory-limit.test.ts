import { expect, test } from 'bun:test';
import { memoryLimitBytes } from './memory-limit.ts';

const machine = 2_000;
const limitWith = (files: Record<string, string>) => memoryLimitBytes((file) => files[file] ?? '', machine);

test('what the machine has is the limit where no group sets one', () => {
  expect(limitWith({})).toBe(machine);
  expect(limitWith({ '/sys/fs/cgroup/memory.max': 'max\n' })).toBe(machine);
  expect(limitWith({ '/sys/fs/cgroup/memory.max': '9000' })).toBe(machine);
});

test("a container's limit counts, in either version of control groups", () => {
  expect(limitWith({ '/sys/fs/cgroup/memory.max': '500\n' })).toBe(500);
  expect(limitWith({ '/sys/fs/cgroup/memory/memory.limit_in_bytes': '600\n' })).toBe(600);
});

test("a service's limit counts, deep in the tree, and so does that of the slice around it", () => {
  const own = { '/proc/self/cgroup': '0::/system.slice/tollgate.service\n' };
  const group = '/sys/fs/cgroup/system.slice';
  expect(limitWith({ ...own, [`${group}/tollgate.service/memory.max`]: '700' })).toBe(700);
  expect(
    limitWith({
      ...own,
      [`${group}/tollgate.service/memory.max`]: 'max',
      [`${group}/tollgate.service/memory.high`]: '650',
      [`${group}/memory.max`]: '800',
    }),
  ).toBe(650);
  expect(limitWith({ ...own, [`${group}/memory.max`]: '800' })).toBe(800);
});

test('the limit of the memory controller counts under version 1, and no other', () => {
  const own = { '/proc/self/cgroup': '9:cpu,cpuacct:/elsewhere\n4:memory:/jobs/one\n0::/\n' };
  expect(
    limitWith({
      ...own,
      '/sys/fs/cgroup/memory/jobs/one/memory.limit_in_bytes': '400',
      '/sys/fs/cgroup/memory/elsewhere/memory.limit_in_bytes': '100',
      '/sys/fs/cgroup/memory/jobs/memory.limit_in_bytes': '9223372036854771712',
    }),
  ).toBe(400);
});
