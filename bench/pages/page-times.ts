/**
 * Measures how long each page of the dashboard takes to its content, in a Chromium whose CPU is four times
 * slower, with 100,000 requests of 500 accounts. Run by hand:
 * `node scripts/run.mjs bench/pages/page-times.ts`. Arguments: the number of requests, and a directory that
 * keeps the data for the next run.
 */
import { join } from 'node:path';
import { inSandbox } from '../in-sandbox.ts';
import { percentileOf } from '../percentile-of.ts';
import { type FilledGateway, startFilledGateway } from './filled-gateway.ts';
import { pageAddresses } from './page-addresses.ts';
import { openPage, SlowBrowser } from './slow-browser.ts';

const requests = Number(process.argv[2] ?? 100_000);
const keptData = process.argv[3];
const TIMES = 3;
const MAX_MS = 1_500;
const MAX_FIRST_LOAD_BYTES = 40_000;

/** Prints a line. Returns `isGood`. */
function show({ page, isGood, figures }: { page: string; isGood: boolean; figures: string }): boolean {
  console.log(`${isGood ? ' ' : '!'} ${page.padEnd(52)} ${figures}`);
  return isGood;
}

async function measureFirstLoads(browser: SlowBrowser, cookie: string): Promise<boolean> {
  const visits = [{ path: '/' }, { path: '/sign-in' }, { path: '/', visitor: cookie }];
  let areGood = true;
  for (const { path, visitor } of visits) {
    const loads: { bytes: number; ms: number }[] = [];
    for (let time = 0; time < TIMES; time++) loads.push(await browser.loadFirst(path, visitor));
    const { bytes } = loads[0]!;
    const ms = Math.min(...loads.map((load) => load.ms));
    const isGood = bytes <= MAX_FIRST_LOAD_BYTES && ms <= MAX_MS;
    const page = `first load of ${path}, ${visitor ? 'signed in' : 'signed out'}`;
    const figures = `${(bytes / 1_000).toFixed(1)} kB, ${ms.toFixed(0)} ms`;
    areGood = show({ page, isGood, figures }) && areGood;
  }
  return areGood;
}

async function measurePages(browser: SlowBrowser, gateway: FilledGateway): Promise<boolean> {
  const { page } = await browser.newPage(gateway.person.cookie);
  await openPage(page, '/');
  let areGood = true;
  for (const path of await pageAddresses(gateway)) {
    const taken: number[] = [];
    for (let time = 0; time < TIMES; time++) taken.push(await openPage(page, path));
    const fastest = Math.min(...taken);
    const median = percentileOf(taken, 0.5);
    // Other work on the machine only makes a page slower.
    const figures = `${fastest.toFixed(0).padStart(6)} ms (median ${median.toFixed(0)})`;
    areGood = show({ page: path, isGood: fastest <= MAX_MS, figures }) && areGood;
  }
  return areGood;
}

process.exitCode = await inSandbox('pages', async ({ directory, processes }) => {
  const data = keptData ?? join(directory, 'data');
  const begun = performance.now();
  const gateway = await startFilledGateway({ children: processes(), directory, data, requests });
  console.log(`filled in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
  const browser = await SlowBrowser.start(gateway.url);
  try {
    await browser.loadFirst('/sign-in'); // the server builds the pages at the first request
    const areFirstLoadsGood = await measureFirstLoads(browser, gateway.person.cookie);
    const areGood = (await measurePages(browser, gateway)) && areFirstLoadsGood;
    console.log(areGood ? `every page within ${MAX_MS} ms` : `some pages over ${MAX_MS} ms`);
    return areGood ? 0 : 1;
  } finally {
    await browser.close();
  }
});
