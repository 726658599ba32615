import { lookUp } from '../../../base/lib/records.ts';
import type { StopKind } from '../../canonical/event.ts';

export type CompletionFinishReason = 'stop' | 'length' | 'content_filter';

const KINDS: Readonly<Record<string, StopKind>> = {
  stop: 'end-turn',
  eos: 'end-turn',
  length: 'max-tokens',
  content_filter: 'content-filter',
};

/** Finish reasons that report a broken answer. */
export const FAILED_FINISHES: ReadonlySet<string> = new Set(['error', 'abort']);

export const readStop = (word: string | undefined): { kind: StopKind; raw?: string } =>
  word === undefined ? { kind: 'other' } : { kind: lookUp(KINDS, word.toLowerCase()) ?? 'other', raw: word };

export const formatStop: Readonly<Record<StopKind, CompletionFinishReason>> = {
  'end-turn': 'stop',
  'max-tokens': 'length',
  'stop-sequence': 'stop',
  'tool-call': 'stop',
  refusal: 'content_filter',
  'content-filter': 'content_filter',
  'context-window': 'length',
  pause: 'stop',
  other: 'stop',
};
