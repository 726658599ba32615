import { useEffect } from 'preact/hooks';
import { address, navigate } from './address.ts';

/** Replaces the page by the page of an address. */
export function useRedirect(to: string | undefined): void {
  useEffect(() => {
    if (to !== undefined) navigate(to, { replace: true });
  }, [to]);
}

/** Returns the address of the sign-in page, which leads back to the current page. */
export function signInAddress(): string {
  const { pathname, search } = address.value;
  const here = `${pathname}${search}`;
  return here === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(here)}`;
}
