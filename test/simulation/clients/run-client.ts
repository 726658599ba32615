import { act } from './act.ts';
import type { Clients } from './clients.ts';
import { fillQueue } from './fill-queue.ts';
import { fillWindow } from './fill-window.ts';
import { leaveProbes } from './leave-probes.ts';
import { queueTwice } from './queue-twice.ts';
import { spendCredit } from './spend-credit.ts';

/** Runs one client, which makes its calls one after the other. */
export async function runClient(clients: Clients, calls: number, longestPauseMs: number): Promise<void> {
  const { simulation, random } = clients;
  const aim = random.weighted({ usual: 40, spend: 40, fill: 10, queue: 10, again: 2, probe: 4 });
  if (aim === 'spend') await spendCredit(clients);
  if (aim === 'fill') await fillWindow(clients);
  if (aim === 'queue') await fillQueue(clients);
  for (let call = 0; call < calls; call++) {
    await simulation.sleep(random.skewed(1, longestPauseMs), 'client pauses');
    await act(clients);
  }
  // Processes seldom die this late. A new process knows no pauses and has no queue.
  if (aim === 'again') await queueTwice(clients);
  if (aim === 'probe') await leaveProbes(clients);
}
