import { afterAll, afterEach, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type Page, chromium as playwright } from 'playwright-core';
import { isFull } from '../../support/is-full.ts';
import { isOnPostgres } from '../../support/postgres/database-of.ts';
import type { SignedInPerson } from '../sign-in.ts';
import { chromium } from './chromium.ts';

export type OpenOptions = {
  /** The session of the page. Without it, nobody is signed in. */
  person?: Pick<SignedInPerson, 'cookie'>;
  dark?: boolean;
  width?: number;
  height?: number;
  timeZone?: string;
  /**
   * True if the page is opened under `LAN_HOST`, where browsers lack what they offer on the machine itself
   * and over HTTPS.
   */
  isOverLan?: boolean;
  /** True if the page serves several tests of its file, so that no test gets it as a new page. */
  isKept?: boolean;
};

export type OpenedPage = Page & {
  /** Errors of scripts and of the console, refused resources, and requests to other servers. */
  problems: string[];
  /** Gives the page back before the end of the test, so that the next one costs no process of the browser. */
  release(): void;
};

/** A test that needs a browser on either store. It is skipped if there is none. */
export const storeBrowserTest = test.skipIf(chromium === undefined);

/** A test that needs a browser. The pages know nothing of the store, so it is skipped on Postgres. */
export const browserTest = test.skipIf(chromium === undefined || isOnPostgres);

/**
 * A test of a further use of a page, which only a full run has. The ordinary run opens each page, checks it,
 * and tries the main use of it.
 */
export const fullBrowserTest = isFull ? browserTest : test.skip;

/** A name of this machine for which plain HTTP is not a secure context. */
const LAN_HOST = 'gateway.test';
const LAN_RULE = `--host-resolver-rules=MAP ${LAN_HOST} 127.0.0.1`;

/** Scripts of a test run too briefly to repay the compilers that optimize them. */
const QUICK_SCRIPTS = '--js-flags=--no-opt --no-maglev';

/** Without a graphics card, a process of its own for it has only costs. */
const NO_GRAPHICS = ['--disable-gpu', '--in-process-gpu'];

/** The server compresses each file once, as small as it can. A few visits do not repay that. */
const QUICK_ENCODING = { 'accept-encoding': 'gzip' };

/** A busy machine shows a page late. */
const SHOWN_MS = 50_000;

/**
 * The folder of screenshots for people to look at. Pictures cost as much time as the tests, so they are made
 * on demand.
 */
const pictures = process.env.TOLLGATE_SCREENSHOTS;

let started: Promise<Browser> | undefined;

/** Returns the browser of this process, which ends with the process. Files that share a process share it. */
const browser = (): Promise<Browser> => {
  started ??= playwright.launch({
    executablePath: chromium!,
    // A container has no sandbox, and the browser shows only the server under test.
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...NO_GRAPHICS, QUICK_SCRIPTS, LAN_RULE],
  });
  return started;
};

/**
 * Opens pages of a server. After a test, the next one gets its pages without their cookies and what they
 * stored.
 */
export function useBrowser(server: { url: string }) {
  const contexts: BrowserContext[] = [];
  /** Pages by what only a new context can change. */
  const free = new Map<string, OpenedPage[]>();
  const inUse = new Set<OpenedPage>();
  afterEach(() => {
    for (const page of inUse) page.release();
  });
  afterAll(async () => {
    await Promise.all(contexts.map((context) => context.close()));
  });

  async function newPage({ timeZone }: OpenOptions, url: string): Promise<Page> {
    const context = await (await browser()).newContext({
      baseURL: url,
      reducedMotion: 'reduce',
      extraHTTPHeaders: QUICK_ENCODING,
      ...(timeZone !== undefined && { timezoneId: timeZone }),
    });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(SHOWN_MS);
    return page;
  }

  /** Returns a page that a test has released, or a new one. */
  async function takePage(options: OpenOptions, url: string): Promise<OpenedPage> {
    const kind = `${url} ${options.timeZone}`;
    for (let page = free.get(kind)?.pop(); page !== undefined; page = free.get(kind)?.pop())
      if (!page.isClosed() && (await clear(page, url))) return page;
    const page: OpenedPage = Object.assign(await newPage(options, url), {
      problems: [] as string[],
      release() {
        if (inUse.delete(page)) free.set(kind, [...(free.get(kind) ?? []), page]);
      },
    });
    watch(page, url);
    return page;
  }

  /** Opens a page and waits until its content is there. */
  async function openPage(path: string, options: OpenOptions = {}): Promise<OpenedPage> {
    const { person, dark = false, width = 1280, height = 900 } = options;
    const url = options.isOverLan ? server.url.replace('127.0.0.1', LAN_HOST) : server.url;
    const page = await takePage(options, url);
    if (!options.isKept) inUse.add(page);
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
    if (person) await page.context().addCookies(cookiesFrom(person.cookie, url));
    await page.goto(path);
    if (path !== 'about:blank') await untilShown(page);
    return page;
  }

  return { openPage };
}

/** A document of the server without scripts, under which a page forgets what it has stored. */
const PLAIN = '/livez';

/** Makes a page that another test had like a new one. Returns false if that is impossible. */
async function clear(page: OpenedPage, url: string): Promise<boolean> {
  try {
    page.removeAllListeners('request');
    page.removeAllListeners('requestfinished');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    for (const other of page.context().pages()) if (other !== page) await other.close();
    await page.goto(url + PLAIN);
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await page.context().clearCookies();
    page.problems.length = 0;
    watchRequests(page, url);
    return true;
  } catch {
    return false; // its server has ended
  }
}

const cookiesFrom = (header: string, url: string) =>
  header.split('; ').map((cookie) => {
    const cut = cookie.indexOf('=');
    return { name: cookie.slice(0, cut), value: cookie.slice(cut + 1), url };
  });

/** Notes everything that no page may do. A refused call of the API is a matter of the test. */
function watch(page: OpenedPage, url: string): void {
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('console', (message) => {
    const isAnswer = message.text().startsWith('Failed to load resource: the server responded with a status');
    // Browsers say so on every page without a secure context.
    const isOpenerPolicy = message
      .text()
      .startsWith('The Cross-Origin-Opener-Policy header has been ignored');
    if (message.type() === 'error' && !isAnswer && !isOpenerPolicy) page.problems.push(message.text());
  });
  watchRequests(page, url);
}

function watchRequests(page: OpenedPage, url: string): void {
  page.on('request', (request) => {
    const to = request.url();
    if (!to.startsWith(`${url}/`) && !/^(data|blob):/.test(to)) page.problems.push(`a request to ${to}`);
  });
}

/** Waits until the page has its title and nothing is on its way. */
export async function untilShown(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.waitForFunction(() => document.querySelector('main .skeleton') === null);
}

/** Keeps a picture of the whole page if the environment names a folder. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

/** Expects that no error happened on the page, and that nothing is wider than the screen. */
export async function expectSound(page: OpenedPage): Promise<void> {
  expect(page.problems).toEqual([]);
  const { wide, screen } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth,
    screen: document.documentElement.clientWidth,
  }));
  expect(wide).toBeLessThanOrEqual(screen);
}
