import { join } from 'node:path';
import { findFreePort } from '../find-free-port.ts';
import type { Surroundings, SystemUnderTest } from '../system-under-test.ts';
import { waitUntilAnswering } from '../wait-until-answering.ts';

/** The cost of the runtime alone, without a gateway. */
export async function startBareBun(surroundings: Surroundings): Promise<SystemUnderTest> {
  const { children, upstreamPort, directory } = surroundings;
  const port = findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(directory, 'bare-bun.log');
  const program = join(import.meta.dir, 'bare-bun-server.ts');
  const environment = { BUN_CONFIG_MAX_HTTP_REQUESTS: '65336' };
  const command = [process.execPath, program, String(port), String(upstreamPort)];
  const child = children.start({ command, logFile, environment });
  await waitUntilAnswering({ url, child, logFile });
  return { name: 'bare-bun', pid: child.pid, url, headers: {} };
}
