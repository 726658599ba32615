import type { HeaderReader } from '../../base/lib/header-reader.ts';

/** Returns the time of the host's clock when it answered. Returns undefined if the host does not say. */
export function hostTime(headers: HeaderReader): number | undefined {
  const time = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(time) ? undefined : time;
}
