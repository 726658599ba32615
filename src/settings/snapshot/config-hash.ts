import { createHash } from 'node:crypto';
import type { Config } from '../config/config-schema.ts';

const LENGTH = 16;

const hashes = new WeakMap<Config, string>();

/**
 * Hashes everything that the configuration decides, without the places that differ between nodes. Each pulse
 * of a node asks for it.
 */
export function configHash(config: Config): string {
  const hash = hashes.get(config) ?? hashOf(config);
  hashes.set(config, hash);
  return hash;
}

function hashOf(config: Config): string {
  const { server, store, ...rest } = config;
  const { port: _port, host: _host, admin_listen: _admin, workers: _workers, ...shared } = server;
  const { data_dir: _directory, database_url: _database, listen_url: _listen, ...stored } = store;
  const text = JSON.stringify({ ...rest, server: shared, store: stored });
  return createHash('sha256').update(text).digest('hex').slice(0, LENGTH);
}
