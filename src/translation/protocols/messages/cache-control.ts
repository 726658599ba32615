import { objectOf, textOf } from '../../../base/json/read-json.ts';
import type { CacheBreakpoint } from '../../canonical/part.ts';

export function cacheOf({ cache_control }: Record<string, unknown>): { cache?: CacheBreakpoint } {
  if (cache_control == null) return {};
  const ttl = textOf(objectOf(cache_control).ttl);
  return { cache: ttl === undefined ? {} : { ttl } };
}

/** Other vendors have other words for how long; without one it is this vendor's default. */
const LIFETIMES = new Set(['5m', '1h']);

export function encodeCache(cache: CacheBreakpoint | undefined): object {
  if (cache === undefined) return {};
  const ttl = cache.ttl !== undefined && LIFETIMES.has(cache.ttl) ? { ttl: cache.ttl } : {};
  return { cache_control: { type: 'ephemeral', ...ttl } };
}
