import { resolve } from 'node:path';
import { assemble, type House } from '../assemble.ts';
import { formatProblem } from '../config/config-problem.ts';
import type { Config } from '../config/config-schema.ts';
import type { Listener } from '../http/listen.ts';
import { Logger } from '../observability/logger.ts';
import type { ConfigOrigin } from '../snapshot-holder.ts';
import { banner } from './banner.ts';
import { ensureFirstKey } from './first-start.ts';
import { StateFiles } from './state-files.ts';

export type Running = { url: string; reload(actor: string): Promise<unknown>; stop(): Promise<void> };

export type ServeOptions = { origin: ConfigOrigin; write: (text: string) => void; isTerminal: boolean };

/** Starts the server and says where it is; what keeps it from starting comes back as lines. */
export async function serve({
  origin,
  write,
  isTerminal,
}: ServeOptions): Promise<Running | { reasons: string[] }> {
  const files = (config: Config) => new StateFiles(resolve(config.store.data_dir));
  let adminToken = '';
  const house = await assemble({
    origin,
    adminToken: (config) => {
      adminToken = files(config).adminToken(config.admin.token);
      return adminToken;
    },
    logger: (config) => loggerFor(config, { write, isTerminal }),
  });
  if ('problems' in house) return { reasons: house.problems.map(formatProblem) };
  const { config } = house.snapshot();
  const state = files(config);
  const firstKey = await ensureFirstKey(house.accounts, state);
  const listener = await listenOrClose(house);
  const url = config.server.public_url ?? listener.url;
  state.write('address', listener.url);
  write(
    banner({
      snapshot: house.snapshot(),
      url,
      adminToken,
      adminTokenFile: state.path('admin-token'),
      firstKey,
      firstKeyFile: state.path('first-key'),
    }),
  );
  // Reading the catalog leaves garbage that would stay resident until the first load: 10 MB.
  Bun.gc(true);
  return { url: listener.url, reload: house.reload, stop: () => drain(house, listener) };
}

async function listenOrClose(house: House): Promise<Listener> {
  try {
    return house.listen();
  } catch (error) {
    await house.close();
    throw error;
  }
}

function loggerFor(
  { log }: Config,
  { write, isTerminal }: Pick<ServeOptions, 'write' | 'isTerminal'>,
): Logger {
  const format = log.format === 'auto' ? (isTerminal ? 'text' : 'json') : log.format;
  return new Logger({ level: log.level, format, write, now: Date.now });
}

const POLL_MS = 25;

/** No new connections, what is under way may finish within `drain_s`, then the rest is cut. */
async function drain(house: House, listener: Listener): Promise<void> {
  house.startDraining();
  listener.stopAccepting();
  const until = performance.now() + house.snapshot().config.server.drain_s * 1_000;
  while (house.inFlight() > 0 && performance.now() < until) await Bun.sleep(POLL_MS);
  const cut = house.inFlight();
  if (cut > 0) house.logger.warn('drain-cut', { requests: cut });
  await listener.close();
  await house.close();
}
