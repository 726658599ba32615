import { expect, test } from 'bun:test';
import { parseCompareArguments } from './compare-options.ts';

test('a full run writes to the documentation, and a trial never does by itself', () => {
  expect(parseCompareArguments([]).options.outFolder).toBe('docs');
  expect(parseCompareArguments(['--quick']).options.outFolder).toBeNull();
  expect(parseCompareArguments(['--loaded-anyway']).options.outFolder).toBeNull();
  expect(parseCompareArguments(['--quick', '--out', 'x']).options.outFolder).toBe('x');
});

test('reads the programs of peers', () => {
  const argv = ['--program', 'gomodel=/opt/a=b', '--program', 'ferro=/opt/ferro', '--peers', 'gomodel,ferro'];
  const { programs, peers } = parseCompareArguments(argv).options;
  expect(programs).toEqual({ gomodel: '/opt/a=b', ferro: '/opt/ferro' });
  expect(peers).toEqual(['gomodel', 'ferro']);
});

test('refuses unknown peers and programs without a path', () => {
  expect(() => parseCompareArguments(['--peers', 'everybody'])).toThrow('everybody');
  expect(() => parseCompareArguments(['--program', 'gomodel'])).toThrow('--program gomodel');
  expect(() => parseCompareArguments(['--program', 'nobody=/x'])).toThrow('nobody');
});
