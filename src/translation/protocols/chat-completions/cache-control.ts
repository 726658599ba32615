import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { optional } from '../../../base/schema/optional.ts';
import { Type } from '../../../base/schema/type.ts';
import type { CacheBreakpoint } from '../../canonical/part.ts';

/** The member with which clients mark the end of a prefix to cache, on a part or a tool. */
export const cacheControl = {
  cache_control: optional(Type.Object({ type: Type.String(), ttl: optional(Type.String()) })),
};

/** Reads the mark on a part or a tool, in either of its forms. Only `cache_control` has a duration. */
export function cacheOf(marked: Fields): { cache?: CacheBreakpoint } {
  const { cache_control: control, prompt_cache_breakpoint: breakpoint } = marked;
  if (!isObject(control)) return isObject(breakpoint) ? { cache: {} } : {};
  return { cache: typeof control.ttl === 'string' ? { ttl: control.ttl } : {} };
}
