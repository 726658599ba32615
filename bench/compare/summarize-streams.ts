import { percentileOf } from '../percentile-of.ts';

/** One stream as its client saw it, in milliseconds. */
export type StreamRecord = {
  sentAt: number;
  /** `null` if no content arrived. */
  firstEventAt: number | null;
  longestGapMs: number;
  events: number;
  isEnded: boolean;
};

export type StreamExpectation = { events: number; intervalMs: number };

export type StreamSummary = {
  complete: number;
  stalled: number;
  firstEventP50Us: number;
  firstEventP99Us: number;
};

/** A stream stalls when its longest gap exceeds this many intervals. */
const STALL_INTERVALS = 10;

export function summarizeStreams(
  records: readonly StreamRecord[],
  { events, intervalMs }: StreamExpectation,
): StreamSummary {
  const isComplete = (record: StreamRecord) => record.isEnded && record.events === events;
  const isSteady = (record: StreamRecord) => record.longestGapMs <= STALL_INTERVALS * intervalMs;
  const waits = records.flatMap(({ sentAt, firstEventAt }) =>
    firstEventAt === null ? [] : [(firstEventAt - sentAt) * 1_000],
  );
  return {
    complete: records.filter(isComplete).length,
    stalled: records.filter((record) => !isComplete(record) || !isSteady(record)).length,
    firstEventP50Us: Math.round(percentileOf(waits, 0.5)),
    firstEventP99Us: Math.round(percentileOf(waits, 0.99)),
  };
}
