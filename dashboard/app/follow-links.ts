import { navigate } from './address.ts';
import { findPage } from './find-page.ts';

/** Opens links to pages of the dashboard without loading the document again. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a');
    if (!link || event.defaultPrevented || event.button !== 0 || isForNewTab(event, link)) return;
    const to = new URL(link.href, location.href);
    if (to.origin !== location.origin || !findPage(to.pathname)) return;
    if (to.hash !== '' && to.pathname === location.pathname && to.search === location.search) return;
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
