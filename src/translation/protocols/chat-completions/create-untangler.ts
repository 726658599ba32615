import type { StreamEvent } from '../../canonical/event.ts';

type PartEvent = Extract<StreamEvent, { index: number }>;

/** The kinds of parts that share one field of the message. Two parts of a kind must follow each other. */
const sequenced = new Set(['text', 'refusal', 'thinking']);

/** Puts interleaved parts of one kind in sequence. Calls are numbered and may stay interleaved. */
export function createUntangler(): (event: StreamEvent) => StreamEvent[] {
  const kindOf = new Map<number, string>();
  const speaking = new Map<string, number>();
  const waiting = new Map<string, PartEvent[]>();

  function pass(event: PartEvent): StreamEvent[] {
    const kind = kindOf.get(event.index);
    if (kind === undefined) return [event];
    const current = speaking.get(kind) ?? event.index;
    if (current !== event.index) {
      waiting.set(kind, [...(waiting.get(kind) ?? []), event]);
      return [];
    }
    speaking.set(kind, event.index);
    if (event.type !== 'part-end') return [event];
    speaking.delete(kind);
    const next = waiting.get(kind) ?? [];
    waiting.delete(kind);
    return [event, ...next.flatMap(pass)];
  }

  return (event) => {
    if (!('index' in event)) return [event];
    if (event.type === 'part-start' && sequenced.has(event.part.kind))
      kindOf.set(event.index, event.part.kind);
    return pass(event);
  };
}
