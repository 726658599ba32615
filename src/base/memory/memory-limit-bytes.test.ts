import { expect, test } from 'bun:test';
import { memoryLimitBytes } from './memory-limit-bytes.ts';

const machine = 2_000;
const limitWith = (files: Record<string, string>) => memoryLimitBytes((file) => files[file] ?? '', machine);

test('uses the memory of the machine if no control group sets a limit', () => {
  expect(limitWith({})).toBe(machine);
  expect(limitWith({ '/sys/fs/cgroup/memory.max': 'max\n' })).toBe(machine);
  expect(limitWith({ '/sys/fs/cgroup/memory.max': '9000' })).toBe(machine);
});

test("respects a container's limit in both versions of control groups", () => {
  expect(limitWith({ '/sys/fs/cgroup/memory.max': '500\n' })).toBe(500);
  expect(limitWith({ '/sys/fs/cgroup/memory/memory.limit_in_bytes': '600\n' })).toBe(600);
});

test('respects the limits of a service deep in the tree and of its slice', () => {
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

test('respects only the limit of the memory controller in version 1', () => {
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
