import type { StreamEvent } from '../../canonical/event.ts';

type PartEvent = Extract<StreamEvent, { index: number }>;

/** The kinds of parts that share one field of the message. Two parts of a kind must follow each other. */
const lanes = new Set(['text', 'refusal', 'thinking']);

/** Puts interleaved parts of one kind in sequence. Calls are numbered and may stay interleaved. */
export function createUntangler(): (event: StreamEvent) => StreamEvent[] {
  const laneOf = new Map<number, string>();
  const speaker = new Map<string, number>();
  const waiting = new Map<string, PartEvent[]>();

  function pass(event: PartEvent): StreamEvent[] {
    const lane = laneOf.get(event.index);
    if (lane === undefined) return [event];
    const speaking = speaker.get(lane) ?? event.index;
    if (speaking !== event.index) {
      waiting.set(lane, [...(waiting.get(lane) ?? []), event]);
      return [];
    }
    speaker.set(lane, event.index);
    if (event.type !== 'part-end') return [event];
    speaker.delete(lane);
    const next = waiting.get(lane) ?? [];
    waiting.delete(lane);
    return [event, ...next.flatMap(pass)];
  }

  return (event) => {
    if (!('index' in event)) return [event];
    if (event.type === 'part-start' && lanes.has(event.part.kind)) laneOf.set(event.index, event.part.kind);
    return pass(event);
  };
}
