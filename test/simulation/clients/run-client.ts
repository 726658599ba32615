import { act } from './act.ts';
import type { Clients } from './clients.ts';
import { fillWindow } from './fill-window.ts';
import { spendCredit } from './spend-credit.ts';

/** Runs one client, which makes its calls one after the other. */
export async function runClient(clients: Clients, calls: number, longestPauseMs: number): Promise<void> {
  const { simulation, random } = clients;
  const begins = random.weighted({ usual: 50, spend: 40, fill: 10 });
  if (begins === 'spend') await spendCredit(clients);
  if (begins === 'fill') await fillWindow(clients);
  for (let call = 0; call < calls; call++) {
    await simulation.sleep(random.skewed(1, longestPauseMs), 'client pauses');
    await act(clients);
  }
}
