import { msOf } from '../../base/lib/units.ts';
import type { AssembledServer } from '../assembly/assembled-server.ts';
import type { GatewayListener } from '../assembly/open-listeners.ts';

const POLL_MS = 25;

/**
 * The time for sending the final error to interrupted clients. Clients that do not read are not waited for.
 */
const LAST_WORDS_MS = 1_000;
/** The time in which a connection whose handshake has begun is accepted and its request read. */
const BEGUN_MS = 300;

/**
 * Drains in steps. During the notice the server is not ready but serves, so that load balancers can leave.
 * Then it accepts the connections that have begun, closes the listener and waits up to `drain_s` for requests
 * in flight. It interrupts the remaining ones with an error.
 */
export async function drain(
  server: AssembledServer,
  listener: GatewayListener,
  { hasNotice }: { hasNotice: boolean },
): Promise<void> {
  const { drain_s, drain_notice_s } = server.snapshot().config.server;
  const noticeS = hasNotice ? drain_notice_s : 0;
  server.startDraining();
  server.logger.info('drain-started', { notice_s: noticeS, requests: server.inFlight() });
  server.logger.flush();
  if (noticeS > 0) {
    await Bun.sleep(noticeS * 1_000);
    if (listener.dropNewConnections()) await acceptBegun();
  }
  listener.stopAccepting();
  server.logger.info('drain-closed', { drain_s, requests: server.inFlight() });
  server.logger.flush();
  await untilIdle(server, msOf(drain_s));
  const cut = server.inFlight();
  if (cut > 0) {
    server.logger.warn('drain-cut', { requests: cut });
    server.interrupt();
    await untilIdle(server, LAST_WORDS_MS);
    await Bun.sleep(POLL_MS); // the final errors are in the sockets' buffers and need time to be sent
  }
  await listener.close();
  await server.close();
  server.logger.info('stopped', { interrupted: cut });
  server.logger.flush();
}

/** Sleeps in steps, so that a busy process accepts connections and reads requests between them. */
async function acceptBegun(): Promise<void> {
  for (let slept = 0; slept < BEGUN_MS; slept += POLL_MS) await Bun.sleep(POLL_MS);
}

async function untilIdle(server: AssembledServer, timeoutMs: number): Promise<void> {
  const until = performance.now() + timeoutMs;
  while (server.inFlight() > 0 && performance.now() < until) await Bun.sleep(POLL_MS);
}
