import { type Browser, type CDPSession, type Page, chromium as playwright } from 'playwright-core';
import { chromium } from '../../test/dashboard/support/chromium.ts';

const SLOWER = 4;

/** Chromium with a CPU that is four times slower. */
export class SlowBrowser {
  readonly #browser: Browser;
  readonly #url: string;

  private constructor(browser: Browser, url: string) {
    this.#browser = browser;
    this.#url = url;
  }

  static async start(url: string): Promise<SlowBrowser> {
    if (chromium === undefined) throw new Error('Chromium is missing: install it, or set CHROMIUM_PATH');
    const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'];
    return new SlowBrowser(await playwright.launch({ executablePath: chromium, args }), url);
  }

  /** Opens an empty page of a new visitor, or of the one whose `Cookie` header is given. */
  async newPage(cookie?: string): Promise<{ page: Page; session: CDPSession }> {
    const context = await this.#browser.newContext({
      baseURL: this.#url,
      viewport: { width: 1280, height: 900 },
    });
    for (const part of cookie?.split('; ') ?? []) {
      const cut = part.indexOf('=');
      await context.addCookies([{ name: part.slice(0, cut), value: part.slice(cut + 1), url: this.#url }]);
    }
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    return { page, session };
  }

  /** Returns the bytes that a first visit loads, compressed, without the answers of the API. */
  async loadFirst(path: string, cookie?: string): Promise<{ bytes: number; ms: number }> {
    const { page, session } = await this.newPage(cookie);
    await session.send('Network.enable');
    const bodies = new Map<string, number>();
    session.on('Network.responseReceived', ({ requestId, response }) => {
      const isAnswer = response.url.includes('/dashboard/v1/');
      if (!isAnswer) bodies.set(requestId, -response.encodedDataLength);
    });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const head = bodies.get(requestId);
      if (head !== undefined) bodies.set(requestId, head + encodedDataLength);
    });
    const ms = await openPage(page, path);
    await page.context().close();
    const bytes = [...bodies.values()].reduce((sum, length) => sum + length, 0);
    return { bytes, ms };
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}

/** Opens an address, and returns the time from the start of the navigation to the content. */
export async function openPage(page: Page, path: string): Promise<number> {
  await page.goto(path, { waitUntil: 'commit' });
  const found = await page.waitForFunction(() => {
    const isShown = document.querySelector('main h1') && !document.querySelector('main .skeleton');
    return isShown ? performance.now() : false;
  });
  return Number(await found.jsonValue());
}
