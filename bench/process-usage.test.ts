import { expect, test } from 'bun:test';
import { parseProcessStat, parseResidentKb, readProcessUsage, selectTree } from './process-usage.ts';

test('counts user, system and waited-for child ticks, whatever the name of the process', () => {
  const line = '4242 (a) odd (name) S 17 4242 1 0 -1 4194560 900 0 3 0 120 30 7 5 20 0 4 0 991 1 2';
  expect(parseProcessStat(line)).toEqual({ parent: 17, ticks: 162 });
});

test('reads resident memory, and 0 for a process that has ended', () => {
  expect(parseResidentKb('Name:\tbun\nVmHWM:\t  99999 kB\nVmRSS:\t   46312 kB\n')).toBe(46_312);
  expect(parseResidentKb('')).toBe(0);
});

test('selects a process and its descendants only', () => {
  const parents = new Map([
    [2, 1],
    [3, 2],
    [4, 3],
    [5, 1],
  ]);
  expect(selectTree(2, parents)).toEqual([2, 3, 4]);
});

test('measures itself', () => {
  expect(readProcessUsage(process.pid).residentKb).toBeGreaterThan(0);
});
