import type { Gateway } from '../gateway/gateway.ts';
import { Call } from '../network/call.ts';
import type { World } from '../world.ts';

const MAX_ATTEMPTS = 40;
const PAUSE_MS = 1_000;

/** Reads a path of the admin API. A node answers with 503 until it has noticed that the database is back. */
export async function readAdmin(
  { simulation, template }: World,
  node: Gateway,
  path: string,
): Promise<string> {
  const headers = { authorization: `Bearer ${template.adminToken}` };
  for (let attempt = 1; ; attempt++) {
    const { status, received } = await new Call(simulation, { method: 'GET', path, headers }, node.port).done;
    if (status === 200) return received;
    if (status !== 503 || attempt === MAX_ATTEMPTS)
      throw new Error(`GET ${path} answered ${status}: ${received.slice(0, 300)}`);
    await simulation.sleep(PAUSE_MS, 'asks again');
  }
}
