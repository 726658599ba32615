import type { JsonObject } from '../../../base/json/json-body.ts';
import { objectOf, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Stop, StopKind } from '../../canonical/event.ts';
import type { OutputPart } from '../../canonical/part.ts';

/** The facts about an answer's items that determine its stop, since a completed answer states no reason. */
type Ending = { hasCall: boolean; hasRefusal: boolean };

/** The kinds of the reasons for which an answer is incomplete, in the words of all hosts. */
const incompleteReasons: Readonly<Record<string, StopKind>> = {
  max_output_tokens: 'max-tokens',
  max_tokens: 'max-tokens',
  content_filter: 'content-filter',
};

/** The stops that make an answer incomplete. A full context window counts as reaching the token limit. */
const reasonByStop: Partial<Record<StopKind, IncompleteReason>> = {
  'max-tokens': 'max_output_tokens',
  'context-window': 'max_output_tokens',
  'content-filter': 'content_filter',
};

/** Decodes the end of a response. An answer with a call or a refusal has no status of its own. */
export function decodeStop(response: JsonObject, ending: Ending): Stop {
  const status = textOf(response.status) ?? 'completed';
  if (status === 'incomplete') {
    const raw = textOf(objectOf(response.incomplete_details).reason) ?? status;
    return { kind: lookUp(incompleteReasons, raw) ?? 'other', raw };
  }
  if (status !== 'completed') return { kind: 'other', raw: status };
  if (ending.hasCall) return { kind: 'tool-call', raw: status };
  return { kind: ending.hasRefusal ? 'refusal' : 'end-turn', raw: status };
}

type IncompleteReason = 'max_output_tokens' | 'content_filter';

/**
 * Returns the reason of an incomplete answer. Returns undefined if the answer is complete. A refusal in words
 * completes the answer. Without words, a refusal would look to the client like the end of a turn.
 */
export const incompleteReason = (
  { kind }: Stop,
  parts: readonly OutputPart[],
): IncompleteReason | undefined =>
  kind === 'refusal' && !parts.some((part) => part.kind === 'refusal')
    ? 'content_filter'
    : reasonByStop[kind];
