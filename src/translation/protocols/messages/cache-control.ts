import { objectOf, textOf } from '../../../base/json/read-json.ts';
import type { CacheBreakpoint } from '../../canonical/part.ts';

/** The lifetimes that this vendor accepts. Others are dropped, so that its default applies. */
const LIFETIMES = new Set(['5m', '1h']);

/** Decodes the breakpoint of a block or a tool. */
export function cacheOf({ cache_control }: Record<string, unknown>): { cache?: CacheBreakpoint } {
  if (cache_control == null) return {};
  const ttl = textOf(objectOf(cache_control).ttl);
  return { cache: ttl === undefined ? {} : { ttl } };
}

/** Encodes a breakpoint as the member of a block or a tool. Without one there is no member. */
export function encodeCache(cache: CacheBreakpoint | undefined): object {
  if (cache === undefined) return {};
  const ttl = cache.ttl !== undefined && LIFETIMES.has(cache.ttl) ? { ttl: cache.ttl } : {};
  return { cache_control: { type: 'ephemeral', ...ttl } };
}
