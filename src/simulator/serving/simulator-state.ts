import type { Clock } from '../../base/lib/clock.ts';
import type { Tokenizer } from '../model/tokenizer.ts';
import type { CallCounts } from './call-counts.ts';
import type { PrefixCache } from './prefix-cache.ts';
import type { RequestLog } from './request-log.ts';

export type SimulatorOptions = {
  /** The accepted key. Undefined if every key is accepted. */
  apiKey?: string | undefined;
  /** The pace of streams. Undefined if there is no limit. */
  tokensPerSecond?: number | undefined;
  /** The delay of every answer before its first byte. */
  firstByteMs?: number | undefined;
  /** The length of an embedding if the request does not name a length. */
  embeddingDimensions?: number | undefined;
  /** The number of received requests that are remembered. */
  logSize?: number | undefined;
  clock?: Clock | undefined;
  /** Waits before the fault of a stream, after the earlier events are sent. */
  beforeFault?: (() => Promise<void>) | undefined;
};

/** The state of a running simulator. */
export type SimulatorState = {
  options: SimulatorOptions;
  clock: Clock;
  cache: PrefixCache;
  counts: CallCounts;
  log: RequestLog;
  tokenizer(): Promise<Tokenizer>;
};
