import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../config/config-schema.ts';
import { findLocalServers, type Search } from './find-local-servers.ts';
import type { FoundServers } from './found-servers.ts';

export type LocalServersParts = Pick<Search, 'environment'> & {
  config(): Config;
  /** Adds the models of the servers that were found to the catalog. */
  take(found: FoundServers): Promise<void>;
  report(event: string, fields: Record<string, unknown>): void;
};

/** Looks for model servers on this machine in the background. */
export class LocalServers {
  readonly #parts: LocalServersParts;
  readonly #stop = new AbortController();
  #ownPort = 0;
  #servers: FoundServers = new Map();
  #looking: Promise<void> = Promise.resolve();

  constructor(parts: LocalServersParts) {
    this.#parts = parts;
  }

  lookFrom(ownPort: number): void {
    this.#ownPort = ownPort;
    this.look();
  }

  /** Runs one search at a time. */
  look(): void {
    this.#looking = this.#looking
      .then(() => this.#lookOnce())
      .catch((error) => this.#parts.report('local-servers-failed', { error: String(error) }));
  }

  close(): void {
    this.#stop.abort();
  }

  async #lookOnce(): Promise<void> {
    const { config, environment, take, report } = this.#parts;
    const stopped = this.#stop.signal;
    const found = await findLocalServers({ config: config(), environment, ownPort: this.#ownPort, stopped });
    if (stopped.aborted || isDeepStrictEqual(found, this.#servers)) return;
    await take(found);
    for (const [provider, { address, models }] of found)
      if (!isDeepStrictEqual(this.#servers.get(provider), found.get(provider)))
        report('local-server-found', { provider, address, models: models.map(({ name }) => name) });
    for (const provider of this.#servers.keys())
      if (!found.has(provider)) report('local-server-gone', { provider });
    this.#servers = found;
  }
}
