import { expectAccessible } from './expect-accessible.ts';
import { expectSound, type OpenedPage, screenshot } from './use-browser.ts';

/** Expects that a page is sound and accessible. Keeps a picture of it if it gets a name for one. */
export async function checkPage(page: OpenedPage, picture?: string): Promise<void> {
  await expectSound(page);
  await expectAccessible(page);
  if (picture !== undefined) await screenshot(page, picture);
}
