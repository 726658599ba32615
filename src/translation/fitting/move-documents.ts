import type { Part } from '../canonical/part.ts';
import type { Turn } from '../canonical/request.ts';

const isMedia = ({ kind }: Part): boolean => kind === 'document' || kind === 'image';

/**
 * Moves documents of assistant turns to the end of the user's turn before. Only the messages protocol has
 * them in assistant turns. Returns the same list if there are none.
 */
export function moveDocuments(turns: readonly Turn[]): readonly Turn[] {
  if (!turns.some(({ role, parts }) => role === 'assistant' && parts.some(isMedia))) return turns;
  const moved: Turn[] = [];
  for (const turn of turns) {
    if (turn.role !== 'assistant') {
      moved.push({ ...turn, parts: [...turn.parts] });
      continue;
    }
    const media = turn.parts.filter(isMedia);
    const remaining = turn.parts.filter((part) => !isMedia(part));
    if (media.length > 0) appendToUser(moved, media);
    if (remaining.length > 0) moved.push({ ...turn, parts: remaining });
  }
  return moved;
}

/** Appends media to the last turn, which is a copy, or to a new turn of the user. */
function appendToUser(turns: Turn[], media: Part[]): void {
  const last = turns.at(-1);
  if (last?.role === 'user') last.parts.push(...media);
  else turns.push({ role: 'user', parts: media });
}
