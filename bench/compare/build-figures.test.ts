import { expect, test } from 'bun:test';
import { buildFigures } from './build-figures.ts';
import { sampleComparison } from './testing/sample-comparison.ts';

const figures = buildFigures(sampleComparison);
const find = (system: string) => figures.find((one) => one.system === system)!;

test('subtracts the upstream alone, round by round', () => {
  expect(find('tollgate').addedP99Us).toEqual({ median: 900, min: 800, max: 1_000 });
  expect(find('tollgate').addedP50Us?.median).toBe(245);
  expect(find('direct').addedP99Us).toBeNull();
  expect(find('tollgate').addedFirstEventUs?.median).toBe(500);
});

test('compares CPU time at 32 connections with haproxy', () => {
  expect(find('tollgate').cpuUs?.median).toBe(180);
  expect(find('tollgate').cpuRatioToHaproxy?.median).toBe(9);
  expect(find('tollgate').agentCpuUs?.median).toBe(900);
  expect(find('direct').cpuUs).toBeNull();
});

test('the frontier counts neither numbers of connections with errors nor those beyond the tail', () => {
  expect(find('tollgate').frontier).toEqual([null, 1_000, 5_000, 5_000, 5_000]);
  expect(find('tollgate').errors).toBe(3);
});

test('streams are steady up to the number at which the first one stalls', () => {
  expect(find('tollgate').steadyStreams).toBe(128);
  expect(find('direct').steadyStreams).toBe(16);
});
