import { isObject } from '../../../base/lib/is-object.ts';
import type { RedactedThinkingPart, ThinkingPart } from '../../canonical/part.ts';
import { readRedacted, readThoughtToken, thoughtIn } from './reasoning-details.ts';
import type { ChatMessage } from './request-schema.ts';

type Assistant = Extract<ChatMessage, { role: 'assistant' }>;
type Thought = ThinkingPart | RedactedThinkingPart;

/**
 * Decodes the thoughts of an assistant turn.
 * The gateway's own tokens say at which places of the reasoning text a signed thought stood. A token whose
 * text was changed or removed is dropped, since its signature no longer fits.
 */
export function decodeThoughts(message: Assistant): Thought[] {
  const field = message.reasoning_content ? 'reasoning_content' : 'reasoning';
  const text = message[field] ?? '';
  const thoughts: Thought[] = [];
  let at = 0;
  const keepPlain = (end: number) => {
    if (end > at) thoughts.push(thoughtIn(field, text.slice(at, end)));
    at = end;
  };
  for (const detail of message.reasoning_details ?? []) {
    if (!isObject(detail) || detail.type !== 'reasoning.encrypted') continue;
    const signed = readThoughtToken(detail);
    const replay = signed ? undefined : readRedacted(detail);
    if (replay) thoughts.push({ kind: 'redacted-thinking', replay });
    if (!signed || signed.span.start < at || signed.span.end > text.length) continue;
    keepPlain(signed.span.start);
    at = signed.span.end;
    const piece = text.slice(signed.span.start, signed.span.end);
    thoughts.push({ kind: 'thinking', form: 'full', text: piece, replay: signed.replay });
  }
  keepPlain(text.length);
  return thoughts;
}
