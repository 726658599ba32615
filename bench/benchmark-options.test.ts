import { expect, test } from 'bun:test';
import { defaultOptions, parseBenchmarkArguments } from './benchmark-options.ts';

test('measures all scenarios by default', () => {
  expect(parseBenchmarkArguments([]).options).toEqual(defaultOptions);
});

test('reads lists and numbers from the command line', () => {
  const argv = ['--scenario', 'unary,models', '--peers', 'portkey', '--seconds', '7', '--json'];
  const { options, json } = parseBenchmarkArguments(argv);
  expect(options.scenarios).toEqual(['unary', 'models']);
  expect(options.peers).toEqual(['portkey']);
  expect(options.seconds).toBe(7);
  expect(json).toBe(true);
});

test('refuses unknown options and values', () => {
  expect(() => parseBenchmarkArguments(['--scenario', 'everything'])).toThrow('everything');
  expect(() => parseBenchmarkArguments(['--rounds', '0'])).toThrow('--rounds');
});
