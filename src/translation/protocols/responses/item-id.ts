import type { OutputPart } from '../../canonical/part.ts';

const prefixes = {
  text: 'msg',
  refusal: 'msg',
  thinking: 'rs',
  'redacted-thinking': 'rs',
  opaque: 'item',
} as const satisfies Record<Exclude<OutputPart['kind'], 'tool-call'>, string>;

/** Returns the id prefix of an item. The vendor refuses returned ids with the prefix of another kind. */
function prefixOf(part: OutputPart): string {
  if (part.kind !== 'tool-call') return prefixes[part.kind];
  return part.input.kind === 'freeform' ? 'ctc' : 'fc';
}

/**
 * Derives an item's id from the response's id and the item's index. Streams and envelopes then agree without
 * shared state. A client that refers to an item also names its response.
 */
export const itemId = (part: OutputPart, responseId: string, index: number): string =>
  `${prefixOf(part)}_${responseId.replace(/^resp_/, '')}_${index}`;
