import { act } from './act.ts';
import type { Clients } from './clients.ts';
import { fillQueue } from './fill-queue.ts';
import { fillWindow } from './fill-window.ts';
import { spendCredit } from './spend-credit.ts';

/** Runs one client, which makes its calls one after the other. */
export async function runClient(clients: Clients, calls: number, longestPauseMs: number): Promise<void> {
  const { simulation, random } = clients;
  const begins = random.weighted({ usual: 40, spend: 40, fill: 10, queue: 10 });
  if (begins === 'spend') await spendCredit(clients);
  if (begins === 'fill') await fillWindow(clients);
  if (begins === 'queue') await fillQueue(clients);
  for (let call = 0; call < calls; call++) {
    await simulation.sleep(random.skewed(1, longestPauseMs), 'client pauses');
    await act(clients);
  }
}
