import { formatStatuses } from '../format-statuses.ts';
import { isWithinHalfACore } from './is-within-half-a-core.ts';

// Reads pages of the dashboard's API in one session over 40 connections, until it is stopped. It uses at most
// half a core and leaves the rest of the machine to the gateway.
// It prints the counts of the statuses when it is stopped.

const CONNECTIONS = 40;
const TICK_MS = 5;
const { FLOOD_URL: url = '', FLOOD_COOKIE: cookie = '', FLOOD_ADDRESS: address = '' } = process.env;
const paths = (process.env.FLOOD_PATHS ?? '').split(' ');
const headers = { cookie, 'x-forwarded-for': address };

const statuses: number[] = [];
let sent = 0;

/** Returns the status, or 0 without an answer. */
async function readPage(path: string): Promise<number> {
  try {
    const answer = await fetch(url + path, { headers });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

async function readPages(): Promise<never> {
  for (;;) {
    while (!isWithinHalfACore()) await Bun.sleep(TICK_MS);
    const path = paths[sent++ % paths.length]!;
    statuses.push(await readPage(path));
  }
}

process.on('SIGTERM', () => {
  console.log(formatStatuses(statuses));
  process.exit(0);
});
for (let index = 0; index < CONNECTIONS; index++) void readPages();
