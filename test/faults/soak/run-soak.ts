import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repeatCall, timeRequest } from '../../../bench/strain/bystander.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';
import { waitFor } from '../../support/wait-for.ts';
import { wideLimits } from '../../support/wide-limits.ts';
import { countHolds, findContradictions } from '../read-ledger.ts';
import type { CallRecord } from './call-record.ts';
import { type Discrepancy, judge } from './judge.ts';
import type { SentRequest } from './sent-request.ts';
import { SoakAccounts } from './soak-accounts.ts';
import { readEntries, type SoakEntry } from './soak-entry.ts';
import { soakCatalog, soakProviders } from './soak-models.ts';
import { SoakingClients } from './soaking-clients.ts';
import { spawnUpstream } from './spawn-upstream.ts';

export type Soak = {
  seed: number;
  /** The run ends after this many kills and this many replies, or after the longest time. */
  kills: number;
  replies: number;
  longestMs: number;
  clients: number;
  killEveryMs: number;
  /** Reports every kill. */
  onKill?: ((progress: { kills: number; complete: number; sent: number }) => void) | undefined;
};

export type SoakReport = {
  kills: number;
  sent: readonly SentRequest[];
  calls: readonly CallRecord[];
  entries: readonly SoakEntry[];
  discrepancies: readonly Discrepancy[];
  /** Broken promises of the ledger itself. */
  contradictions: readonly string[];
};

const POLL_MS = 100;
const PING_EVERY_MS = 100;
/** The time for which the gateway reads the usage after a client has left. */
const GRACE_S = 1;
const UPSTREAM_IDLE_MS = 1_000;
/** Waits until the requests of departed clients are settled. */
const SETTLED_WITHIN_MS = 20_000;

/**
 * Keeps a gateway busy with all kinds of requests, kills it repeatedly, and compares answers with charges.
 */
export async function runSoak(soak: Soak): Promise<SoakReport> {
  const upstream = await spawnUpstream(soak.seed);
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tollgate-soak-'));
  const clients = new SoakingClients(soak.clients, soak.seed);
  const servers = new KilledServers({ soak, upstream: upstream.url, dataDirectory, clients });
  try {
    const until = performance.now() + soak.longestMs;
    while (performance.now() < until && needsAnotherKill(soak, servers.kills.length, clients.complete))
      await servers.runUntilKilled();
    const entries = await servers.runToEnd(until);
    const calls = await upstream.records();
    const evidence = { seed: soak.seed, sent: clients.sent, calls, entries };
    const { kills, slowestPingMs } = servers;
    const discrepancies = judge({ ...evidence, kills, slowestPingMs, graceMs: GRACE_S * 1_000 });
    return {
      ...evidence,
      kills: servers.kills.length,
      discrepancies,
      contradictions: [...servers.contradictions],
    };
  } finally {
    await servers.stop();
    await upstream.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

/** The last server is not killed. It brings as many replies as any other. */
const needsAnotherKill = (soak: Soak, kills: number, complete: number): boolean =>
  kills < soak.kills || (kills > 0 && complete + complete / kills < soak.replies);

const configFor = (upstream: string) => ({
  simulator: { mode: 'off' },
  log: { level: 'error' },
  limits: { usage_grace_s: GRACE_S },
  providers: soakProviders(upstream, UPSTREAM_IDLE_MS),
  catalog: soakCatalog,
  plans: wideLimits,
});

type Parts = { soak: Soak; upstream: string; dataDirectory: string; clients: SoakingClients };

/** Runs one server after the other on one data directory. */
class KilledServers {
  readonly #parts: Parts;
  readonly #accounts: SoakAccounts;
  readonly contradictions = new Set<string>();
  /** The times at which each server was killed, by the wall clock. */
  readonly kills: number[] = [];
  /** The slowest answer of any server to a ping. */
  slowestPingMs = 0;
  #server: TestServer | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#accounts = new SoakAccounts(parts.soak.clients);
  }

  async runUntilKilled(): Promise<void> {
    const { soak, clients } = this.#parts;
    const server = await this.#start();
    const endPings = this.#ping(server);
    await Bun.sleep(soak.killEveryMs);
    await endPings();
    clients.close();
    this.kills.push(Date.now());
    server.signal('SIGKILL');
    await server.exited;
    await server.stop();
    soak.onKill?.({ kills: this.kills.length, complete: clients.complete, sent: clients.sent.length });
  }

  /** Runs the last server without a kill, checks what it leaves, and returns its entries. */
  async runToEnd(until: number): Promise<SoakEntry[]> {
    const { clients, dataDirectory, soak } = this.#parts;
    const server = await this.#start();
    const endPings = this.#ping(server);
    while (clients.complete < soak.replies && performance.now() < until) await Bun.sleep(POLL_MS);
    await clients.stop();
    await endPings();
    await waitFor(() => isQuiet(server), SETTLED_WITHIN_MS).catch(() =>
      this.contradictions.add('calls continue although every client has left'),
    );
    for (const fault of await server.ledgerFaults())
      this.contradictions.add(`verify: ${JSON.stringify(fault)}`);
    const entries = await Promise.all(this.#accounts.ids.map((id) => readEntries(server, id)));
    const code = await server.stop();
    if (code !== 0) this.contradictions.add(`the last server ended with ${code}`);
    this.#checkLedger();
    if (countHolds(dataDirectory) > 0) this.contradictions.add('holds left at the end');
    return entries.flat();
  }

  async stop(): Promise<void> {
    if (this.#server?.hasEnded()) return;
    this.#server?.signal('SIGKILL');
    await this.#server?.stop();
  }

  async #start(): Promise<TestServer> {
    const { upstream, dataDirectory, clients } = this.#parts;
    const server = await startServer({ config: configFor(upstream), dataDirectory });
    this.#server = server;
    this.#checkLedger();
    const holds = countHolds(dataDirectory);
    if (holds > 0) this.contradictions.add(`${holds} holds left by the server before`);
    clients.open({ url: server.url, keys: await this.#accounts.prepare(server) });
    return server;
  }

  /** Pings a server until the returned function is called. */
  #ping({ url }: TestServer): () => Promise<void> {
    const end = repeatCall(() => timeRequest(`${url}/healthz`), PING_EVERY_MS);
    return async () => {
      this.slowestPingMs = Math.max(this.slowestPingMs, ...(await end()));
    };
  }

  #checkLedger(): void {
    for (const found of findContradictions(this.#parts.dataDirectory)) this.contradictions.add(found);
  }
}

/** Reports whether nothing is under way at any provider. */
async function isQuiet(server: TestServer): Promise<boolean> {
  const { body } = await server.admin('GET', '/providers');
  return body.data.every(({ slots_in_use }: { slots_in_use: number }) => slots_in_use === 0);
}
