import type { Fault } from './draw-request.ts';

/** Tokens as the upstream counts them: `input` and `output` are whole, the others parts of them. */
export type CallUsage = { input: number; cacheRead: number; output: number };

/** The upstream's record of one finished call. Times are wall-clock times, which the clients share. */
export type CallRecord = {
  number: number;
  prompt: number;
  /** The public id of the model that was called. */
  model: string;
  wire: string;
  isStream: boolean;
  fault: Fault | undefined;
  /**
   * `complete`: the whole answer went out; `closed`: the gateway hung up before that;
   * `failed`: the fault came first.
   */
  ending: 'complete' | 'closed' | 'failed';
  /** True if all of the answer's tokens went out. Of a whole answer nothing does before all of it. */
  isAllSent: boolean;
  /** The usage of the whole answer. */
  usage: CallUsage;
  reportsUsage: boolean;
  /** The part of the output that is never shown. */
  hidden: number;
  headAt: number | undefined;
  endedAt: number;
  /** Tokens that had been produced by a time, those that are hidden among them. */
  produced: readonly (readonly [at: number, tokens: number])[];
};

/** Returns the number of tokens that had been produced by then. */
export const producedBy = ({ produced }: CallRecord, at: number): number =>
  produced.findLast(([time]) => time <= at)?.[1] ?? 0;
