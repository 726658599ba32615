import { YieldQueue } from '../../base/lib/yield-queue.ts';
import type { BodyWriter } from '../../edge/http/reply.ts';

/** From this length on, in UTF-16 units, a text gives other requests a turn. */
export const LARGE_LENGTH = 256 * 1024;

/** The turns of all large events, so that one of them moves on in each round of the event loop. */
export const largeEvents = new YieldQueue();

/**
 * Writes a text. A large text is written in parts, since the runtime encodes and copies each part at once.
 */
export function writeText(writer: BodyWriter, text: string): Promise<void> | undefined {
  return text.length <= LARGE_LENGTH ? writer.write(text) : writeParts(writer, text);
}

async function writeParts(writer: BodyWriter, text: string): Promise<void> {
  for (let from = 0; from < text.length; ) {
    const end = endOfPart(text, from);
    const taken = writer.write(text.slice(from, end));
    from = end;
    // No turn follows a wait: an idle comment could otherwise be written into the middle of an event.
    if (taken) await taken;
    else if (from < text.length) await largeEvents.next();
  }
}

/** Returns the end of a part. A part never ends within a surrogate pair. */
function endOfPart(text: string, from: number): number {
  const end = from + LARGE_LENGTH;
  if (end >= text.length) return text.length;
  return (text.charCodeAt(end) & 0xfc00) === 0xdc00 ? end - 1 : end;
}
