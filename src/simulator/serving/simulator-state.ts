import type { Clock } from '../../base/lib/clock.ts';
import type { Tokenizer } from '../model/tokenizer.ts';
import type { PrefixCache } from './prefix-cache.ts';
import type { CallCounts } from './request-counts.ts';
import type { RequestLog } from './request-log.ts';

export type SimulatorOptions = {
  /** Without a key every request is let in. */
  apiKey?: string | undefined;
  /** The pace of streams; absent: as fast as they are read. */
  tokensPerSecond?: number | undefined;
  /** How long every answer waits before its first byte. */
  firstByteMs?: number | undefined;
  /** The width of an embedding for which the request does not ask another. */
  embeddingDimensions?: number | undefined;
  /** How many received requests are remembered. */
  logSize?: number | undefined;
  clock?: Clock | undefined;
  /** What a stream that was told to go wrong waits for, behind what comes before. */
  beforeFault?: (() => Promise<void>) | undefined;
};
/** What lives as long as the simulator does. */
export type SimulatorState = {
  options: SimulatorOptions;
  clock: Clock;
  cache: PrefixCache;
  counts: CallCounts;
  log: RequestLog;
  tokenizer(): Promise<Tokenizer>;
};
