import { useEffect } from 'preact/hooks';
import { address } from '../../app/address.ts';

/**
 * Returns the token of a link, which stands in the fragment so that no server log has it. It is removed from
 * the address bar. The router keeps it until the next navigation, which may be another link in the same tab.
 */
export function useFragmentToken(): string | undefined {
  const { hash } = address.value;
  useEffect(() => {
    if (hash !== '') history.replaceState(null, '', `${location.pathname}${location.search}`);
  }, [hash]);
  return new URLSearchParams(hash.slice(1)).get('token') || undefined;
}
