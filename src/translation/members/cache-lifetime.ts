import { isObject } from '../../base/lib/is-object.ts';
import type { MemberRule } from './member-rule.ts';

const DEFAULT_LIFETIME = '5m';

/** Inspects the cache lifetime of a prefix at the vendor. Longer lifetimes cost more. */
export const cacheLifetime: MemberRule = (value, inspection) => {
  if (!isObject(value) || value.ttl == null || value.ttl === DEFAULT_LIFETIME) return;
  inspection.note({
    kind: 'preference',
    extra: 'cache_control.ttl',
    loss: 'cache-retention',
    price: value.ttl === '1h' ? 'cache_write_1h' : undefined,
    path: inspection.path('ttl'),
  });
};
