import type { IdleConnections, UpstreamConnection } from './upstream-connection.ts';

/**
 * The time to keep an idle connection: longer than the pauses in a conversation, and shorter than the usual
 * limit of hosts.
 */
const KEPT_MS = 30_000;
const SWEEP_MS = 2_000;
/** The margin below a host's own limit, since the host's timer started earlier. */
const MARGIN_MS = 1_000;
const MAX_KEPT_PER_ORIGIN = 256;

/**
 * Keeps idle connections for their next request. The most recently used one goes first, so that the extra
 * connections of a peak expire after it.
 */
export class ConnectionPool implements IdleConnections {
  readonly #idle = new Map<string, UpstreamConnection[]>();
  #sweep: Timer | undefined;

  take(originKey: string): UpstreamConnection | undefined {
    const connections = this.#idle.get(originKey);
    const connection = connections?.pop();
    if (!connection || connection.expiresAt > performance.now()) return connection;
    connection.terminate(); // the youngest has expired, and so have all others
    for (const old of connections!.splice(0)) old.terminate();
    return undefined;
  }

  put(connection: UpstreamConnection): void {
    const keptMs = keptFor(connection.keepAlive);
    if (keptMs <= 0) {
      connection.terminate();
      return;
    }
    connection.expiresAt = performance.now() + keptMs;
    let connections = this.#idle.get(connection.originKey);
    if (!connections) {
      connections = [];
      this.#idle.set(connection.originKey, connections);
    }
    if (connections.length >= MAX_KEPT_PER_ORIGIN) connections.shift()!.terminate();
    connections.push(connection);
    if (!this.#sweep) {
      this.#sweep = setInterval(() => this.#dropOld(), SWEEP_MS);
      this.#sweep.unref();
    }
  }

  remove(connection: UpstreamConnection): void {
    const connections = this.#idle.get(connection.originKey);
    const at = connections?.lastIndexOf(connection) ?? -1;
    if (at >= 0) connections!.splice(at, 1);
  }

  get size(): number {
    let size = 0;
    for (const connections of this.#idle.values()) size += connections.length;
    return size;
  }

  close(): void {
    this.#drop(() => true);
  }

  #dropOld(): void {
    const now = performance.now();
    this.#drop(({ expiresAt }) => expiresAt <= now);
  }

  #drop(mustGo: (connection: UpstreamConnection) => boolean): void {
    for (const [key, connections] of this.#idle) {
      const staying = connections.filter((connection) => !mustGo(connection));
      const going = connections.filter(mustGo);
      if (staying.length > 0) this.#idle.set(key, staying);
      else this.#idle.delete(key);
      for (const connection of going) connection.terminate();
    }
    if (this.#idle.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}

/** Returns how long to keep a connection. A host's own limit (`timeout=5`) shortens that time. */
function keptFor(keepAlive: string | null): number {
  const seconds = keepAlive === null ? undefined : /\btimeout\s*=\s*"?(\d+)/i.exec(keepAlive)?.[1];
  return seconds === undefined ? KEPT_MS : Math.min(KEPT_MS, Number(seconds) * 1_000 - MARGIN_MS);
}
