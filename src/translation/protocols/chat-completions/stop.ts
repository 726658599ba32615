import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { Stop, StopKind } from '../../canonical/event.ts';
import { finishReasons } from '../openai/finish-reasons.ts';

/** The finish reasons that the protocol documents. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

const OWN_KINDS: Readonly<Record<FinishReason, StopKind>> = {
  stop: 'end-turn',
  length: 'max-tokens',
  tool_calls: 'tool-call',
  function_call: 'tool-call',
  content_filter: 'content-filter',
};

/** The kinds of the protocol's own finish reasons, and of those of some hosts. */
const KINDS: Readonly<Record<string, StopKind>> = {
  ...OWN_KINDS,
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

/** The finish reasons of broken answers. Hosts write them in either case. */
const FAILURES: ReadonlySet<string> = new Set([
  'error',
  'network_error',
  'insufficient_system_resource',
  'abort',
]);

/** Reports whether an answer with this finish reason has failed. */
export const isFailedFinish = (word: string): boolean => FAILURES.has(word.toLowerCase());

/**
 * The details that some servers (vLLM, SGLang) add to `stop`. A string is the stop sequence. Null means that
 * the model ended by itself. Undefined means that the server adds no details.
 */
export type StopDetails = string | null | undefined;

/** Reads the stop details. The servers also put finish reasons and numbers of tokens into their fields. */
export function readStopDetails({ stop_reason, matched_stop }: Fields): StopDetails {
  const detail = stop_reason === undefined ? matched_stop : stop_reason;
  if (detail === undefined) return undefined;
  const isSequence =
    typeof detail === 'string' && detail !== '' && lookUp(KINDS, detail.toLowerCase()) === undefined;
  return isSequence ? detail : null;
}

/** The finish reason that may mean the model's own end or a stop sequence. */
export const AMBIGUOUS_STOP = 'stop';

/** The kinds of parts that an answer has, among those that its finish reason can hide. */
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
export function withStopDetails(stop: Stop, details: StopDetails): Stop {
  if (stop.raw !== AMBIGUOUS_STOP || stop.kind !== 'end-turn' || details === undefined) return stop;
  return details === null ? { kind: 'end-turn' } : { ...stop, kind: 'stop-sequence', sequence: details };
}

/**
 * Formats the finish reason. A call takes precedence, since clients look for it. A refusal with a text of its
 * own finishes with `stop` instead of `content_filter`.
 */
export function formatStop({ kind }: Stop, answered: AnsweredParts): FinishReason {
  const finish = finishReasons[kind];
  if (answered.calls && finish === 'stop') return 'tool_calls';
  return answered.refusal && kind === 'refusal' ? 'stop' : finish;
}
