import { optional } from '../../../base/schema/optional.ts';
import { Type } from '../../../base/schema/type.ts';

/** The member with which clients mark the end of a prefix to cache, on a part or a tool. */
export const cacheControl = {
  cache_control: optional(Type.Object({ type: Type.String(), ttl: optional(Type.String()) })),
};
