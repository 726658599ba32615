import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/**
 * Resolves the name of a host to listen on. Rejects with ENOTFOUND if the name is unknown. The runtime's
 * server then has the code of some earlier failure, such as EADDRINUSE.
 */
export async function resolveHost(hostname: string): Promise<void> {
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return;
  try {
    await lookup(hostname);
  } catch (cause) {
    throw Object.assign(new Error(`The host ${hostname} is unknown`, { cause }), { code: 'ENOTFOUND' });
  }
}
