import type { Draws } from '../kernel/draws.ts';
import { refusalOf } from './asked.ts';
import { dialectNames } from './bodies.ts';
import type { Clients } from './clients.ts';

const account = 'daily';
const DAY_MS = 86_400_000;
/** A run that begins earlier does not wait for the end of the day. */
const MAX_WAIT_MS = 25_000;
/** The slow stream ends this long after the day. */
const AFTER_END_MS = { least: 12_000, most: 30_000 };
const AT_ONCE = 5;
const MAX_ASKS = 12;
const ASKS_AT_END = 4;

/** Spends the tokens of a new day while a stream of the day before runs, and asks again after its end. */
export async function spendDay(clients: Clients, random: Draws): Promise<void> {
  const { simulation } = clients;
  const untilEndMs = DAY_MS - (simulation.wallTime() % DAY_MS);
  if (untilEndMs > MAX_WAIT_MS) return;
  const ask = (isStream: boolean, marker = clients.newName()) =>
    clients.ask({ account, model: 'gamma', dialect: random.of(dialectNames), isStream, marker });
  const beginMs = untilEndMs * random.next();
  await simulation.sleep(beginMs, 'client pauses');
  const marker = clients.newName();
  clients.slow.set(marker, untilEndMs - beginMs + random.between(AFTER_END_MS.least, AFTER_END_MS.most));
  const slow = ask(true, marker);
  await simulation.sleep(untilEndMs - beginMs, 'client waits for the next day');
  const spend = async () => {
    for (let asks = 0; asks < MAX_ASKS; asks++)
      if (refusalOf(await ask(false)) === 'token_allowance_exhausted') return;
  };
  await Promise.all([slow, ...Array.from({ length: AT_ONCE }, spend)]);
  for (let asks = 0; asks < ASKS_AT_END; asks++) await ask(false);
}
