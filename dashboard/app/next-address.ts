import { isOwnPage } from '../../src/base/lib/is-own-page.ts';

/**
 * Returns the page that the person wanted before signing in. Only pages of this server are followed, by the
 * server's own check.
 */
export function nextAddress(): string {
  const next = new URLSearchParams(location.search).get('next') ?? '/';
  return isOwnPage(next) ? next : '/';
}
