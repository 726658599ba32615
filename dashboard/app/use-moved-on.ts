import { useRef } from 'preact/hooks';
import { address } from './address.ts';

/**
 * Reports whether the path of a query has changed and the address of the page has not. Its span has then
 * moved on with the time, and the question is the same.
 */
export function useMovedOn(path: string | null): boolean {
  const { href } = address.value;
  const latest = useRef({ path, href, hasMovedOn: false });
  const { current } = latest;
  if (current.path !== path) latest.current = { path, href, hasMovedOn: current.href === href };
  else current.href = href;
  return latest.current.hasMovedOn;
}
