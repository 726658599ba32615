import { expect, test } from 'bun:test';
import { formatWrkCommand, parseLoadResult } from './run-load.ts';

test('finds the result line in the output of wrk', () => {
  const result = {
    requests: 366_997,
    durationUs: 3_000_882,
    p50Us: 209,
    p99Us: 728,
    failures: 0,
    badStatuses: 2,
  };
  const output = `Running 3s test\n  1 threads\nRESULT ${JSON.stringify(result)}\n`;
  expect(parseLoadResult(output)).toEqual(result);
});

test('returns null if wrk printed no result', () => {
  expect(parseLoadResult('unable to connect to 127.0.0.1:1 Connection refused\n')).toBeNull();
});

test('passes each header to wrk as a separate argument', () => {
  const headers = { authorization: 'Bearer one', 'content-type': 'application/json' };
  const load = { method: 'POST', url: 'http://127.0.0.1:9/x', headers, bodyFile: null };
  const command = formatWrkCommand({ ...load, connections: 32, seconds: 3 });
  expect(command.slice(-5)).toEqual([
    '-H',
    'authorization: Bearer one',
    '-H',
    'content-type: application/json',
    'http://127.0.0.1:9/x',
  ]);
});
