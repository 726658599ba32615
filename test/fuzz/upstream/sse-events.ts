import type { Json } from '../../support/call.ts';

export type SseEvent = { name: string | undefined; data: Json };

const BLOCK = /^(?:event: ([^\n]*)\n)?data: ([^\n]+)$/;

/** Parses a stream in exactly the gateway's form, or reports how it deviates. */
export function sseEvents(text: string): SseEvent[] | string {
  if (!text.endsWith('\n\n')) return `a stream that ends in mid-event: ${text.slice(-200)}`;
  const events: SseEvent[] = [];
  for (const block of text.slice(0, -2).split('\n\n')) {
    if (block.startsWith(':') && !block.includes('\n')) continue;
    const match = BLOCK.exec(block);
    if (!match) return `no event: ${block.slice(0, 300)}`;
    const [, name, data] = match;
    try {
      events.push({ name, data: data === '[DONE]' ? data : JSON.parse(data!) });
    } catch {
      return `data that is no JSON: ${data!.slice(0, 300)}`;
    }
  }
  return events;
}

/**
 * Reports whether an event's name equals the type in its data. A name in UTF-8 has no half of a character.
 */
export const isNamed = (name: string | undefined, data: Json): boolean =>
  typeof data?.type === 'string' && data.type.toWellFormed() === name;
