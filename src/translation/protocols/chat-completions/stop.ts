import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { Stop, StopKind } from '../../canonical/event.ts';

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

/** The protocol's own finish reasons, followed by those of some hosts. */
const KINDS: Readonly<Record<string, StopKind>> = {
  stop: 'end-turn',
  length: 'max-tokens',
  tool_calls: 'tool-call',
  function_call: 'tool-call',
  content_filter: 'content-filter',
  end_turn: 'end-turn',
  eos: 'end-turn',
  stop_sequence: 'stop-sequence',
  max_tokens: 'max-tokens',
  model_length: 'context-window',
  model_context_window_exceeded: 'context-window',
  tool_call: 'tool-call',
  tool_use: 'tool-call',
  safety: 'content-filter',
  sensitive: 'content-filter',
  recitation: 'content-filter',
  refusal: 'refusal',
};

/** Finish reasons that report a broken answer. */
const FAILURES = new Set(['error', 'network_error', 'insufficient_system_resource', 'abort']);

export const isFailedFinish = (word: string): boolean => FAILURES.has(word.toLowerCase());

/**
 * Reads the stop details that some servers (vLLM, SGLang) add to `stop`. A string is the stop sequence. Null
 * means that the model ended by itself. Undefined means that the server adds no details.
 */
export function readSequence(choice: Fields): string | null | undefined {
  const named = ['stop_reason', 'matched_stop'].find((name) => choice[name] !== undefined);
  if (named === undefined) return undefined;
  const word = choice[named];
  return typeof word === 'string' && word !== '' && lookUp(KINDS, word.toLowerCase()) === undefined
    ? word
    : null;
}

/** The finish reason that may mean the model's own end or a stop sequence. */
export const VAGUE_STOP = 'stop';

type AnsweredParts = { calls: boolean; refusal: boolean };

/** Reads the finish reason. OpenAI also finishes forced calls and refusals with `stop`. */
export function readStop(word: string | undefined, answered: AnsweredParts): Stop {
  const raw = word === undefined ? {} : { raw: word };
  const kind = word === undefined ? 'other' : (lookUp(KINDS, word.toLowerCase()) ?? 'other');
  if (answered.calls && (kind === 'end-turn' || kind === 'other')) return { kind: 'tool-call', ...raw };
  if (answered.refusal && kind === 'end-turn') return { kind: 'refusal', ...raw };
  if (!answered.calls && kind === 'tool-call') return { kind: 'end-turn', ...raw };
  return { kind, ...raw };
}

/**
 * Resolves a plain `stop` with the server's details. Without its raw word the stop is no longer ambiguous.
 */
export function withSequence(stop: Stop, sequence: string | null | undefined): Stop {
  if (stop.raw !== VAGUE_STOP || stop.kind !== 'end-turn' || sequence === undefined) return stop;
  return sequence === null ? { kind: 'end-turn' } : { ...stop, kind: 'stop-sequence', sequence };
}

const FINISHES: Readonly<Record<StopKind, FinishReason>> = {
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

/**
 * Formats the finish reason. A call takes precedence, since clients look for it. A refusal with a text of its
 * own finishes with `stop` instead of `content_filter`.
 */
export function formatStop({ kind }: Stop, answered: AnsweredParts): FinishReason {
  const finish = FINISHES[kind];
  if (answered.calls && finish === 'stop') return 'tool_calls';
  return answered.refusal && kind === 'refusal' ? 'stop' : finish;
}
