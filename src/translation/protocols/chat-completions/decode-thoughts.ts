import { isObject } from '../../../base/lib/is-object.ts';
import type { RedactedThinkingPart, ThinkingPart } from '../../canonical/part.ts';
import { PROTOCOL } from './protocol.ts';
import { readRedacted, readThoughtToken } from './reasoning-details.ts';
import type { ReasoningField } from './reasoning-fields.ts';
import type { AssistantMessage } from './request-schema.ts';

type Thought = ThinkingPart | RedactedThinkingPart;

/**
 * Decodes the thoughts of an assistant turn.
 * The gateway's own tokens say at which places of the reasoning text a signed thought stood. A token whose
 * text was changed or removed is dropped, since its signature no longer fits.
 */
export function decodeThoughts(message: AssistantMessage): Thought[] {
  const field = message.reasoning_content ? 'reasoning_content' : 'reasoning';
  const text = message[field] ?? '';
  const thoughts: Thought[] = [];
  let unsignedStart = 0;
  for (const detail of message.reasoning_details ?? []) {
    if (!isObject(detail) || detail.type !== 'reasoning.encrypted') continue;
    const signed = readThoughtToken(detail);
    const redacted = signed ? undefined : readRedacted(detail);
    if (redacted) thoughts.push({ kind: 'redacted-thinking', replay: redacted });
    if (!signed || signed.span.start < unsignedStart || signed.span.end > text.length) continue;
    const { start, end } = signed.span;
    thoughts.push(...unsignedThought(field, text.slice(unsignedStart, start)));
    thoughts.push({ kind: 'thinking', form: 'full', text: text.slice(start, end), replay: signed.replay });
    unsignedStart = end;
  }
  return [...thoughts, ...unsignedThought(field, text.slice(unsignedStart))];
}

/**
 * Returns a thought without a signature, or nothing if the text is empty. The name of its field is its token,
 * since the host expects the thought back in that field.
 */
const unsignedThought = (field: ReasoningField, text: string): ThinkingPart[] =>
  text === '' ? [] : [{ kind: 'thinking', form: 'full', text, replay: { issuer: PROTOCOL, data: field } }];
