/**
 * Moves the focus on when the element that has it goes away, for example the link to the next page of a list.
 * Otherwise the browser moves it to the body, and a screen reader starts at the top.
 */
export function keepFocus(): void {
  let lost: { element: Element; around: HTMLElement[] } | undefined;
  document.addEventListener('focusin', ({ target }) => {
    const element = target as Element;
    lost = { element, around: parentsOf(element) };
  });
  document.addEventListener('focusout', ({ target }) => {
    // A press outside all controls takes the focus away on purpose.
    setTimeout(() => {
      if (isNowhere() && (target as Element).isConnected) lost = undefined;
    });
  });
  new MutationObserver(() => {
    if (!lost || lost.element.isConnected || !isNowhere()) return;
    const { around } = lost;
    lost = undefined;
    (around.find((candidate) => candidate.isConnected && candidate.matches(places)) ?? title())?.focus({
      preventScroll: true,
    });
  }).observe(document.body, { childList: true, subtree: true });
}

/** The parts of a page that can have the focus themselves. */
const places = 'dialog, [role="group"][tabindex], [role="tabpanel"][tabindex]';

const title = (): HTMLElement | null => document.querySelector<HTMLElement>('main h1');

const isNowhere = (): boolean => document.activeElement === document.body || document.activeElement === null;

function parentsOf(element: Element): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (let ancestor = element.parentElement; ancestor; ancestor = ancestor.parentElement)
    found.push(ancestor);
  return found;
}
