import { expect, test } from 'bun:test';
import { Logger } from './logger.ts';

test('writes one log line even if client text contains line breaks', () => {
  let written = '';
  const logger = new Logger({
    level: 'info',
    format: 'json',
    write: (text) => (written += text),
    now: () => 0,
  });
  logger.info('request', { path: 'a\nb\u2028c', level: 'not this one' });
  logger.debug('unseen');
  logger.flush();
  expect(written.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(written)).toMatchObject({ event: 'request', path: 'a\nb\u2028c' });
});

test('logs how many lines were dropped while the reader was stalled', () => {
  let written = '';
  let backlog = 0;
  const logger = new Logger({
    level: 'info',
    format: 'json',
    write: (text) => {
      written += text;
    },
    backlog: () => backlog,
    now: () => 0,
  });
  backlog = 1e9;
  for (let line = 0; line < 100; line++) logger.info('lost');
  logger.flush();
  expect(written).toBe('');
  backlog = 0;
  logger.info('seen');
  logger.flush();
  logger.flush();
  expect(
    written
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).event),
  ).toEqual(['seen', 'log-lines-dropped']);
  expect(written).toContain('"lines":100');
});
