import type { PartHead, StreamEvent } from '../../canonical/event.ts';

type PartEvent = Extract<StreamEvent, { index: number }>;

type Kind = PartHead['kind'];

/** The kinds of parts that share one field of the message. Two parts of a kind must follow each other. */
const SEQUENCED: ReadonlySet<Kind> = new Set<Kind>(['text', 'refusal', 'thinking']);

/**
 * Puts interleaved parts of one kind in sequence. Events of a second part wait until the first one has ended.
 * Calls are numbered and may stay interleaved.
 */
export function createUntangler(): (event: StreamEvent) => StreamEvent[] {
  const kindsByIndex = new Map<number, Kind>();
  const openIndexes = new Map<Kind, number>();
  const waiting = new Map<Kind, PartEvent[]>();

  function pass(event: PartEvent): StreamEvent[] {
    const kind = kindsByIndex.get(event.index);
    if (kind === undefined) return [event];
    const openIndex = openIndexes.get(kind) ?? event.index;
    if (openIndex !== event.index) {
      const events = waiting.get(kind);
      if (events) events.push(event);
      else waiting.set(kind, [event]);
      return [];
    }
    openIndexes.set(kind, event.index);
    return event.type === 'part-end' ? [event, ...release(kind)] : [event];
  }

  function release(kind: Kind): StreamEvent[] {
    const events = waiting.get(kind) ?? [];
    openIndexes.delete(kind);
    waiting.delete(kind);
    return events.flatMap(pass);
  }

  return (event) => {
    if (!('index' in event)) return [event];
    if (event.type === 'part-start' && SEQUENCED.has(event.part.kind))
      kindsByIndex.set(event.index, event.part.kind);
    return pass(event);
  };
}
