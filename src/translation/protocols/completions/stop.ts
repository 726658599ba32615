import { lookUp } from '../../../base/lib/records.ts';
import type { Stop, StopKind } from '../../canonical/event.ts';

/** The finish reasons that the protocol documents. */
export type CompletionFinishReason = 'stop' | 'length' | 'content_filter';

const ownKinds: Readonly<Record<CompletionFinishReason, StopKind>> = {
  stop: 'end-turn',
  length: 'max-tokens',
  content_filter: 'content-filter',
};

/** The kinds of the protocol's own finish reasons, and of those of some hosts. */
const kinds: Readonly<Record<string, StopKind>> = { ...ownKinds, eos: 'end-turn' };

const failedFinishes: ReadonlySet<string> = new Set(['error', 'abort']);

/** Reports whether a finish reason reports a broken answer. Hosts write it in either case. */
export const isFailedFinish = (word: string): boolean => failedFinishes.has(word.toLowerCase());

/** Reads the finish reason. Hosts write it in either case. */
export const readStop = (word: string | undefined): Stop =>
  word === undefined ? { kind: 'other' } : { kind: lookUp(kinds, word.toLowerCase()) ?? 'other', raw: word };
