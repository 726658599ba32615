import { LIMITS } from '../gateway/configuration.ts';
import type { Draws } from '../kernel/draws.ts';
import type { Clients } from './clients.ts';

const account = 'paced';
const model = 'gamma';
/** The stream outlasts the windows of a minute, and the pause after which the gateway forgets empty ones. */
const LASTS_MS = { least: 80_000, most: 130_000 };
/** The client asks for more this long before the end of the stream. */
const BEFORE_END_MS = 12_000;

/**
 * Asks for a very slow stream. After all windows have forgotten it, the client asks at once for as many
 * answers as the limit allows together.
 */
export async function askSlowly(clients: Clients, random: Draws): Promise<void> {
  const { simulation } = clients;
  const marker = clients.newName();
  const lastsMs = random.between(LASTS_MS.least, LASTS_MS.most);
  clients.slow.set(marker, lastsMs);
  const ask = (name = clients.newName()) =>
    clients.ask({ account, model, dialect: random.of(['chat', 'messages']), isStream: true, marker: name });
  await simulation.sleep(random.between(100, 10_000), 'client pauses');
  const asking = [ask(marker)];
  await simulation.sleep(lastsMs - BEFORE_END_MS, 'client reads a slow stream');
  for (let count = LIMITS[account].concurrent; count > 0; count--) asking.push(ask());
  await Promise.all(asking);
}
