import { expect, test } from 'bun:test';
import type { EventMeaning } from '../../translation/contract/background-form.ts';
import { FrameLog } from './frame-log.ts';

const frameOf = (meaning: Partial<EventMeaning>): string => `data: ${JSON.stringify(meaning)}\n\n`;
const begun = frameOf({ number: 0, envelope: 'begun' });
const failed = frameOf({ number: 1, envelope: 'failed', status: 'failed' });
const completed = frameOf({ number: 1, envelope: 'completed', status: 'completed' });

const logOf = (): FrameLog => new FrameLog({ reader: () => (data) => JSON.parse(data) });

test('a failure ends a response', () => {
  const log = logOf();
  log.write(begun + failed);
  expect(log).toMatchObject({ hasEnded: true, status: 'failed', envelope: 'failed' });
});

test('a canceled response does not fail as its call to the provider ends', () => {
  const log = logOf();
  log.write(begun);
  log.cancel();
  log.write(failed);
  expect(log.hasEnded).toBe(false);
  expect(log.envelope).toBe('begun');
  expect(log.takeWaiting()).toEqual(begun);
});

test('an answer that was complete before its cancellation stays complete', () => {
  const log = logOf();
  log.cancel();
  log.write(begun + completed);
  expect(log.status).toBe('completed');
  expect(log.takeWaiting()).toEqual(begun + completed);
});

test('a frame can arrive in pieces, cut anywhere', () => {
  const text = begun + completed;
  for (let cut = 1; cut < text.length; cut++) {
    const log = logOf();
    log.write(text.slice(0, cut));
    log.write(text.slice(cut));
    expect(log.status).toBe('completed');
    expect(log.takeWaiting()).toEqual(text);
  }
});
