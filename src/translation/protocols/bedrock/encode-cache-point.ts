import type { CacheBreakpoint } from '../../canonical/part.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import type { BedrockBlock } from './encode-media.ts';

/**
 * Encodes a cache point, a separate block after the content that it marks. The default lifetime is five
 * minutes, the only one that most models accept.
 */
export function encodeCachePoint(
  cache: CacheBreakpoint | undefined,
  { notes, isSupported }: { notes: EncodeNotes; isSupported: boolean },
): BedrockBlock[] {
  if (cache === undefined) return [];
  if (isSupported) return [{ cachePoint: { type: 'default', ...(cache.ttl === '1h' && { ttl: '1h' }) } }];
  notes.lose('cache-breakpoint');
  return [];
}
