import type { CacheBreakpoint } from '../../canonical/part.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';

/**
 * Encodes a cache point, a separate block after the content that it marks. The default lifetime is five
 * minutes, the only one that most models accept.
 */
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
