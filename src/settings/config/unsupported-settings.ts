import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import type { Config } from './config-schema.ts';
import { listenAddressOf } from './listen-address-of.ts';

type Setting = { path: string[]; isInvalid: (config: Config) => boolean; message: string };

const ALL_ADDRESSES = new Set(['0.0.0.0', '::']);

/**
 * Two listeners can share a port only on different addresses. The operating system chooses another one for
 * port 0.
 */
function hasBothOnOnePort({ port, host, admin_listen }: Config['server']): boolean {
  const second = admin_listen === null ? undefined : listenAddressOf(admin_listen);
  if (second === undefined || port === 0 || second.port !== port) return false;
  return second.hostname === host || ALL_ADDRESSES.has(host) || ALL_ADDRESSES.has(second.hostname);
}

/** Settings that are valid alone, but with which a server cannot start. */
const settings: readonly Setting[] = [
  {
    path: ['server', 'admin_listen'],
    isInvalid: ({ server }) => hasBothOnOnePort(server),
    message: 'must have a different port from server.port, which is for clients',
  },
  {
    path: ['server', 'workers'],
    isInvalid: ({ server, store }) => server.workers > 1 && store.database_url === null,
    message: 'several processes need a shared store; set store.database_url or DATABASE_URL, or set it to 1',
  },
];

export const unsupportedSettings = (config: Config): SchemaProblem[] =>
  settings.filter(({ isInvalid }) => isInvalid(config)).map(({ path, message }) => ({ path, message }));
