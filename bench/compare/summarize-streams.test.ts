import { expect, test } from 'bun:test';
import { type StreamRecord, summarizeStreams } from './summarize-streams.ts';

const smooth: StreamRecord = { sentAt: 5, firstEventAt: 7, longestGapMs: 25, events: 97, isEnded: true };
const expected = { events: 97, intervalMs: 20 };

test('a stream with a long gap, a missing event or no end has stalled', () => {
  const records = [
    smooth,
    { ...smooth, longestGapMs: 201 },
    { ...smooth, events: 96 },
    { ...smooth, isEnded: false, firstEventAt: null },
  ];
  expect(summarizeStreams(records, expected)).toEqual({
    complete: 2,
    stalled: 3,
    firstEventP50Us: 2_000,
    firstEventP99Us: 2_000,
  });
});
