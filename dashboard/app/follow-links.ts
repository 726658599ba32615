import { address, navigate } from './address.ts';
import { withoutBase } from './base-path.ts';
import { findPage } from './find-page.ts';

/** Opens links to pages of the dashboard without loading the document again. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a');
    if (!link || event.defaultPrevented || event.button !== 0 || isForNewTab(event, link)) return;
    const to = withoutBase(new URL(link.href, location.href));
    if (!to || to.origin !== location.origin || !findPage(to.pathname)) return;
    const { pathname, search } = address.value;
    if (to.hash !== '' && to.pathname === pathname && to.search === search) return;
    event.preventDefault();
    navigate(to.href);
  });
}

const isForNewTab = (event: MouseEvent, link: HTMLAnchorElement): boolean =>
  event.ctrlKey ||
  event.metaKey ||
  event.shiftKey ||
  event.altKey ||
  (link.target !== '' && link.target !== '_self') ||
  link.hasAttribute('download');
