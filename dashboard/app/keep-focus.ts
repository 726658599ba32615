/** The parts of a page that can have the focus themselves. */
const FOCUSABLE_PARTS = 'dialog, [role="group"][tabindex], [role="tabpanel"][tabindex]';

/**
 * Moves the focus on when the element that has it goes away, for example the link to the next page of a list.
 * Otherwise the browser moves it to the body, and a screen reader starts at the top.
 */
export function keepFocus(): void {
  let latest: { element: Element; ancestors: HTMLElement[] } | undefined;
  document.addEventListener('focusin', ({ target }) => {
    const element = target as Element;
    latest = { element, ancestors: ancestorsOf(element) };
  });
  document.addEventListener('focusout', ({ target }) => {
    // A press outside all controls takes the focus away on purpose.
    setTimeout(() => {
      if (isNowhere() && (target as Element).isConnected) latest = undefined;
    });
  });
  new MutationObserver(() => {
    if (!latest || latest.element.isConnected || !isNowhere()) return;
    const { ancestors } = latest;
    latest = undefined;
    const heir = ancestors.find((ancestor) => ancestor.isConnected && ancestor.matches(FOCUSABLE_PARTS));
    (heir ?? pageTitle())?.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
}

const pageTitle = (): HTMLElement | null => document.querySelector<HTMLElement>('main h1');

const isNowhere = (): boolean => document.activeElement === document.body || document.activeElement === null;

/** Returns the ancestors of an element, the nearest first. They are unknown once it has gone. */
function ancestorsOf(element: Element): HTMLElement[] {
  const ancestors: HTMLElement[] = [];
  for (let ancestor = element.parentElement; ancestor; ancestor = ancestor.parentElement)
    ancestors.push(ancestor);
  return ancestors;
}
