import { objectOf, textOf } from '../../../base/json/read-json.ts';

type CacheOptions = Readonly<{ prompt_cache_key?: unknown; prompt_cache_options?: unknown }>;

/**
 * Returns true if a request names its conversation for the vendor's cache. In explicit mode the client
 * decides what is cached.
 */
export function wantsCache({ prompt_cache_key: key, prompt_cache_options: options }: CacheOptions) {
  return textOf(key) && objectOf(options).mode !== 'explicit' ? true : undefined;
}
