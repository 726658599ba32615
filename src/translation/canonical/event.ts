import type { Refusal } from '../../base/errors/refusal.ts';
import type { Citation, OpaquePart, OutputPart, RedactedThinkingPart, ReplayToken } from './part.ts';
import type { Usage } from './usage.ts';

/** The reason of an answer's end. */
export type StopKind =
  | 'end-turn'
  | 'max-tokens'
  | 'stop-sequence'
  | 'tool-call'
  | 'refusal'
  | 'content-filter'
  | 'context-window'
  | 'pause'
  | 'other';

/** The end of an answer. `raw`: the vendor's own word. `sequence`: the stop sequence that ended it. */
export type Stop = { kind: StopKind; raw?: string; sequence?: string };

/** The data of a part that is known when it opens. */
export type PartHead =
  | { kind: 'text' }
  | { kind: 'refusal' }
  | { kind: 'thinking'; form: 'full' | 'summary' }
  | {
      kind: 'tool-call';
      callId: string;
      itemId?: string;
      name: string;
      namespace?: string;
      inputKind: 'json' | 'freeform';
      /** True if the first delta is the vendor's signature of the call. */
      isSigned?: boolean;
    }
  | RedactedThinkingPart
  | OpaquePart;

/** A piece of a part. Each kind of part takes some kinds. */
export type PartDelta =
  | { kind: 'text'; text: string }
  | { kind: 'refusal'; text: string }
  | { kind: 'thinking'; text: string }
  | { kind: 'tool-input'; text: string }
  | { kind: 'citation'; citation: Citation }
  | { kind: 'replay-token'; replay: ReplayToken }
  | { kind: 'opaque'; delta: unknown };

/**
 * The events of a stream, in this order: response-start; then start, deltas and end of each part; then
 * exactly one of the two endings. Parts can interleave; `index` rises from 0 and is never reused.
 * Usage can come at any time.
 */
export type StreamEvent =
  | { type: 'response-start'; responseId: string; model: string }
  | { type: 'part-start'; index: number; part: PartHead }
  | { type: 'part-delta'; index: number; delta: PartDelta }
  | { type: 'part-end'; index: number }
  /** Cumulative. A decoder passes on each report, and `completeUsage` merges them. */
  | { type: 'usage'; usage: Usage }
  | { type: 'response-end'; stop: Stop }
  /** `unsent`: the number of frames of earlier events that were never sent. */
  | { type: 'response-error'; refusal: Refusal; unsent?: number };

/** A whole answer, as its events describe it. */
export type CanonicalResponse = {
  responseId: string;
  model: string;
  parts: OutputPart[];
  usage?: Usage;
  stop: Stop;
};
