import { expect, test } from 'bun:test';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import { logFailure } from './log-failure.ts';
import type { Logger } from './logger.ts';

test('a store that is away is not logged as a fault of the gateway', () => {
  const lines: unknown[] = [];
  const logger = partial<Logger>({ error: (event, fields) => void lines.push([event, fields]) });
  logFailure(logger, { request_id: 'req_1' }, new Unavailable('The database is away', 'check Postgres'));
  logFailure(logger, { request_id: 'req_2' }, 'broken');
  expect(lines).toEqual([
    ['unavailable', { request_id: 'req_1', problem: 'The database is away: check Postgres.' }],
    ['unexpected-failure', { request_id: 'req_2', error: 'broken', stack: undefined }],
  ]);
});
