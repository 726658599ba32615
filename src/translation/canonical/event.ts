import type { Refusal } from '../../base/errors/refusal.ts';
import type { Citation, OpaquePart, OutputPart, RedactedThinkingPart, ReplayToken } from './part.ts';
import type { Usage } from './usage.ts';

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

/** `raw`: the vendor's own word. */
export type Stop = { kind: StopKind; raw?: string; sequence?: string };

/** What is known of a part when it opens. */
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
    }
  | RedactedThinkingPart
  | OpaquePart;

export type PartDelta =
  | { kind: 'text'; text: string }
  | { kind: 'refusal'; text: string }
  | { kind: 'thinking'; text: string }
  | { kind: 'tool-input'; text: string }
  | { kind: 'citation'; citation: Citation }
  | { kind: 'replay-token'; replay: ReplayToken }
  | { kind: 'opaque'; delta: unknown };

/**
 * Order: response-start, then for each part start, deltas, end (parts may interleave; `index` rises from 0
 * and is never used again), usage at
 * any time, then exactly one of the two endings.
 */
export type StreamEvent =
  | { type: 'response-start'; responseId: string; model: string }
  | { type: 'part-start'; index: number; part: PartHead }
  | { type: 'part-delta'; index: number; delta: PartDelta }
  | { type: 'part-end'; index: number }
  /** Cumulative: a decoder tells what each report says, and `completeUsage` what all of them say together. */
  | { type: 'usage'; usage: Usage }
  | { type: 'response-end'; stop: Stop }
  /** `unsent`: how many frames were made before it that nobody was sent. */
  | { type: 'response-error'; refusal: Refusal; unsent?: number };

export type CanonicalResponse = {
  responseId: string;
  model: string;
  parts: OutputPart[];
  usage?: Usage;
  stop: Stop;
};
