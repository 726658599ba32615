import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countUp } from '../../src/base/lib/testing/count-up.ts';
import { type BatchClient, batchClient, linesOf, messagesFlavor } from '../support/batch-client.ts';
import { type Answer, call, type Json } from '../support/call.ts';
import { startNativeUpstream } from '../support/native/start-native-upstream.ts';
import { nativeConfig } from '../support/native-gateway.ts';
import { sampleModel } from '../support/sample-config.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { wideLimits } from '../support/wide-limits.ts';
import type { CrashPoint, Fault } from './fault.ts';
import { faultOptions } from './fault-options.ts';
import { countHolds, findContradictions, readBilled } from './read-ledger.ts';
import { startEchoUpstream } from './start-echo-upstream.ts';

type BatchKillTest = {
  batches: number;
  items: number;
  kills: number;
  /** True if the items are sent through the batches of two vendors instead of calls. */
  native?: boolean | undefined;
  random: () => number;
  onKill?: ((report: { kills: number; killPoint: string; calls: number }) => void) | undefined;
};

type BatchKillReport = {
  kills: number;
  /** Repeated upstream requests for items: the cost of the kills. */
  repeatedCalls: number;
  batches: number;
  results: Record<string, number>;
  billed: number;
  /** Every deviation from the expected result. */
  faults: string[];
};

type KillPoint = 'at-random' | CrashPoint;
const crashPoints = ['before-commit', 'after-commit', 'before-settlement', 'after-settlement'] as const;
/** Every other kill comes at any moment. */
const killPoints: readonly KillPoint[] = crashPoints.flatMap((point) => ['at-random', point] as const);

/** An upstream for the items of batches, and what their requests need. */
type UpstreamSetup = {
  upstream: { url: string; calls(): number; stop(): void };
  config: Json;
  models: readonly string[];
  fields: Json;
  /** The longest time until a kill at a random moment. */
  maxRunMs: number;
};

const MODEL = 'quick';
/** A creation is repeated while another request with its key is under way. */
const MAX_RETRIES = 1_000;
const RETRY_MS = 10;
const isInProgress = ({ body }: Answer): boolean => body?.error?.code === 'batch_creation_in_progress';

function setUpCalls(): UpstreamSetup {
  const upstream = startEchoUpstream();
  const config = {
    simulator: { mode: 'off' },
    providers: [{ id: 'upstream', wire: 'openai-chat', base_url: upstream.url, api_key: 'key' }],
    catalog: {
      default: false,
      models: [sampleModel(MODEL, { routes: [{ provider: 'upstream', model: MODEL }] })],
    },
    plans: wideLimits,
  };
  return { upstream, config, models: [MODEL], fields: {}, maxRunMs: 500 };
}

function setUpNativeBatches(): UpstreamSetup {
  const upstream = startNativeUpstream();
  return {
    upstream: { url: upstream.url, calls: upstream.taken, stop: upstream.stop },
    config: { ...nativeConfig(upstream.url), plans: wideLimits },
    models: ['claude', 'gpt'],
    fields: { processing_mode: 'native-required' },
    maxRunMs: 2_000, // items are collected for a while, and their results are polled
  };
}

/** Kills a server repeatedly while batches are created and run, and checks the result of every item. */
export async function runBatchKillTest(test: BatchKillTest): Promise<BatchKillReport> {
  const setup = test.native ? setUpNativeBatches() : setUpCalls();
  const dataDirectory = join(tmpdir(), `tollgate-batches-${process.pid}-${Math.floor(test.random() * 1e9)}`);
  const servers = new KilledServers(test, { ...setup, dataDirectory });
  try {
    while (servers.kills < test.kills) await servers.runUntilKilled();
    return await servers.runToEnd();
  } finally {
    setup.upstream.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

/** Starts one server after the other on one data directory. */
class KilledServers {
  readonly #test: BatchKillTest;
  readonly #setup: UpstreamSetup & { dataDirectory: string };
  readonly #faults: string[] = [];
  /** The id of each batch, by the number in its prompts. */
  readonly #batchOf = new Map<string, string>();
  /** The answer to each batch's creation. */
  readonly #created = new Map<string, string>();
  kills = 0;
  #key = '';

  constructor(test: BatchKillTest, setup: UpstreamSetup & { dataDirectory: string }) {
    this.#test = test;
    this.#setup = setup;
  }

  async runUntilKilled(): Promise<void> {
    const killPoint = killPoints[this.kills % killPoints.length]!;
    const server = await this.#start(killPoint).catch(() => undefined); // it was killed during its start
    if (server) {
      await this.#createAll(server).catch(() => {}); // it was killed, and the next server continues
      await server.exited;
      await server.stop();
    }
    this.kills++;
    this.#test.onKill?.({ kills: this.kills, killPoint, calls: this.#setup.upstream.calls() });
  }

  /** Runs the last server without a fault, and returns the report. */
  async runToEnd(): Promise<BatchKillReport> {
    const server = await this.#start(undefined);
    try {
      await this.#createAll(server);
      const client = this.#client(server);
      const listed: Json[] = (await client.list('?limit=100')).body.data;
      const results: Record<string, number> = {};
      for (const { id } of listed) {
        await client.ended(id, 120_000);
        for (const type of await this.#typesOf(client, id)) countUp(results, type);
      }
      if (listed.length !== this.#test.batches) this.#faults.push(`${listed.length} batches`);
      const sentAgain = this.#repeatedCalls;
      if (this.#test.native && sentAgain > 0) this.#faults.push(`${sentAgain} items were submitted again`);
      this.#checkLedger(await server.ledgerFaults(), results);
      const { dataDirectory } = this.#setup;
      return {
        kills: this.kills,
        repeatedCalls: this.#repeatedCalls,
        batches: listed.length,
        results,
        billed: readBilled(dataDirectory).length,
        faults: this.#faults,
      };
    } finally {
      await server.stop();
    }
  }

  get #repeatedCalls(): number {
    return this.#setup.upstream.calls() - this.#test.batches * this.#test.items;
  }

  #client(server: TestServer): BatchClient {
    return batchClient(server, { flavor: messagesFlavor, key: this.#key });
  }

  async #start(killPoint: KillPoint | undefined): Promise<TestServer> {
    const { random } = this.#test;
    const point = killPoint === 'at-random' ? undefined : killPoint;
    const fault: Fault = { crash: point && { point, passes: 5 + Math.floor(150 * random()) } };
    const server = await startServer({
      config: this.#setup.config,
      dataDirectory: this.#setup.dataDirectory,
      ...faultOptions(fault),
    });
    if (killPoint) {
      const { maxRunMs } = this.#setup;
      const runMs = point ? maxRunMs + 1_000 : 150 + (maxRunMs - 150) * random();
      const timer = setTimeout(() => server.signal('SIGKILL'), runMs);
      void server.exited.then(() => clearTimeout(timer));
    }
    this.#key ||= (await server.createKey('enterprise')).key;
    return server;
  }

  /** Creates the missing batches, each under its own key and with several simultaneous requests. */
  async #createAll(server: TestServer): Promise<void> {
    const { batches } = this.#test;
    await Promise.all(
      Array.from({ length: batches * 2 }, (_, index) => this.#create(server, index % batches)),
    );
  }

  async #create(server: TestServer, index: number): Promise<void> {
    const { models, fields } = this.#setup;
    const body = {
      ...fields,
      requests: Array.from({ length: this.#test.items }, (_, item) => ({
        custom_id: `i${item}`,
        params: messagesFlavor.params(models[item % models.length]!, {
          messages: [{ role: 'user', content: `${index}/${item}` }],
        }),
      })),
    };
    const headers = { ...messagesFlavor.headers(this.#key), 'idempotency-key': `batch-${index}` };
    const create = () => call(server.url + messagesFlavor.path, { headers, body });
    let answer = await create();
    for (let retries = 0; isInProgress(answer) && retries < MAX_RETRIES; retries++) {
      await Bun.sleep(RETRY_MS);
      answer = await create();
    }
    this.#noteCreated(`batch-${index}`, answer);
  }

  #noteCreated(name: string, { status, text }: Answer): void {
    if (status !== 200) this.#faults.push(`creation of ${name}: ${status} ${text}`);
    const before = this.#created.get(name);
    if (before !== undefined && before !== text) this.#faults.push(`${name} was created twice`);
    this.#created.set(name, text);
  }

  /** Returns the types of all results. Each item must have one, which answers its own prompt. */
  async #typesOf(client: BatchClient, id: string): Promise<string[]> {
    const { request_counts: counts } = await client.view(id);
    const lines = linesOf((await client.results(id)).text);
    const names = new Set(lines.map(({ custom_id }) => custom_id));
    const { items } = this.#test;
    if (lines.length !== items || names.size !== items)
      this.#faults.push(`${lines.length} lines of ${items}`);
    const types = lines.map(({ result }) => result.type as string);
    for (const [type, count] of Object.entries(counts))
      if (type !== 'processing' && types.filter((one) => one === type).length !== count)
        this.#faults.push(`${count} ${type} in the counts`);
    for (const { custom_id, result } of lines) {
      if (result.type !== 'succeeded') continue;
      const text: string = result.message.content[0].text;
      const [index = '', item] = text.split('/');
      const own = this.#batchOf.get(index) ?? id;
      this.#batchOf.set(index, own);
      if (`i${item}` !== custom_id || own !== id)
        this.#faults.push(`${custom_id} of ${id} has the answer to ${text}`);
    }
    return types;
  }

  #checkLedger(verified: Json[], { succeeded = 0 }: Record<string, number>): void {
    const { dataDirectory } = this.#setup;
    for (const fault of verified) this.#faults.push(`verify: ${JSON.stringify(fault)}`);
    this.#faults.push(...findContradictions(dataDirectory));
    const billed = readBilled(dataDirectory).length;
    if (billed !== succeeded) this.#faults.push(`${billed} billed of ${succeeded} answered`);
    const holds = countHolds(dataDirectory);
    if (holds > 0) this.#faults.push(`${holds} holds are left`);
  }
}
