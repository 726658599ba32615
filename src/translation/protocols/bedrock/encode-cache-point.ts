import type { CacheBreakpoint } from '../../canonical/part.ts';
import type { EncodeNotes } from '../encode-notes.ts';

/** A block of its own, behind what it marks. Five minutes is what it means without saying so, and all that most models take. */
export function encodeCachePoint(
  cache: CacheBreakpoint | undefined,
  { notes, isTaken }: { notes: EncodeNotes; isTaken: boolean },
): Record<string, unknown>[] {
  if (cache === undefined) return [];
  if (!isTaken) {
    notes.lose('cache-breakpoint');
    return [];
  }
  return [{ cachePoint: { type: 'default', ...(cache.ttl === '1h' && { ttl: '1h' }) } }];
}
