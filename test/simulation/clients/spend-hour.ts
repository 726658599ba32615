import type { Draws } from '../kernel/draws.ts';
import { dialectNames } from './bodies.ts';
import type { Clients } from './clients.ts';

const account = 'hourly';
const HOUR_MS = 3_600_000;
const MAX_ASKS = 30;
const ASKS_AT_END = 4;
/** A window that moves by whole minutes may forget the first amounts this early. */
const MAX_EARLY_MS = 30_000;

/** Spends the budget of an hour at once, and asks again shortly before the first amounts leave its window. */
export async function spendHour(clients: Clients, random: Draws): Promise<void> {
  const { simulation } = clients;
  const ask = async (): Promise<number | undefined> => {
    const form = { dialect: random.of(dialectNames), isStream: false };
    return (await clients.ask({ account, model: 'alpha', ...form })).record.status;
  };
  await simulation.sleep(random.between(100, 10_000), 'client pauses');
  const beganAt = simulation.now;
  for (let asks = 0; asks < MAX_ASKS; asks++) if ((await ask()) === 402) break;
  const again = beganAt + HOUR_MS - random.between(500, MAX_EARLY_MS);
  await simulation.sleep(again - simulation.now, 'waits for the window of an hour');
  for (let asks = 0; asks < ASKS_AT_END; asks++) await ask();
}
