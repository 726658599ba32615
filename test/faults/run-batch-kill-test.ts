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
import { type CrashPoint, FAULT_VARIABLE, type Fault } from './fault.ts';
import { countHolds, findContradictions, readBilled } from './read-ledger.ts';
import { startEchoUpstream } from './start-echo-upstream.ts';

export type BatchKillTest = {
  batches: number;
  items: number;
  kills: number;
  /** Through the batches of two vendors, in place of calls. */
  native?: boolean | undefined;
  random: () => number;
  onKill?: ((report: { kills: number; death: string; calls: number }) => void) | undefined;
};

export type BatchKillReport = {
  kills: number;
  /** Repeated upstream requests for items: the cost of the kills. */
  repeatedCalls: number;
  batches: number;
  results: Record<string, number>;
  billed: number;
  /** Every deviation from the expected result. */
  faults: string[];
};

type Death = 'at-random' | CrashPoint;
const deaths: readonly Death[] = [
  ...['at-random' as const, 'before-commit' as const, 'at-random' as const, 'after-commit' as const],
  ...['at-random' as const, 'before-settlement' as const, 'at-random' as const, 'after-settlement' as const],
];

const preload = join(import.meta.dir, 'inject-fault.ts');

/** The requests that items send to an upstream, and its answers. */
type Lane = {
  upstream: { url: string; calls(): number; stop(): void };
  config: Json;
  models: readonly string[];
  fields: Json;
  /** The time until a kill at a random moment. */
  longestLifeMs: number;
};

const MODEL = 'quick';

function callingLane(): Lane {
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
  return { upstream, config, models: [MODEL], fields: {}, longestLifeMs: 500 };
}

function nativeLane(): Lane {
  const upstream = startNativeUpstream();
  return {
    upstream: { url: upstream.url, calls: upstream.taken, stop: upstream.stop },
    config: { ...nativeConfig(upstream.url), plans: wideLimits },
    models: ['claude', 'gpt'],
    fields: { processing_mode: 'native-required' },
    longestLifeMs: 2_000, // items are gathered for a while, and asked for after a while
  };
}

/** Kills a server repeatedly while batches are created and run, and checks the result of every item. */
export async function runBatchKillTest(test: BatchKillTest): Promise<BatchKillReport> {
  const lane = test.native ? nativeLane() : callingLane();
  const dataDirectory = join(tmpdir(), `tollgate-batches-${process.pid}-${Math.floor(test.random() * 1e9)}`);
  const lives = new BatchLives(test, { ...lane, dataDirectory });
  try {
    while (lives.kills < test.kills) await lives.live();
    return await lives.last();
  } finally {
    lane.upstream.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

type Surroundings = Lane & { dataDirectory: string };

class BatchLives {
  readonly #test: BatchKillTest;
  readonly #around: Surroundings;
  readonly #faults: string[] = [];
  /** The batch of each prompt's first part. */
  readonly #batchOf = new Map<string, string>();
  /** The answer to each batch's creation. */
  readonly #created = new Map<string, string>();
  kills = 0;
  #key = '';

  constructor(test: BatchKillTest, around: Surroundings) {
    this.#test = test;
    this.#around = around;
  }

  async live(): Promise<void> {
    const death = deaths[this.kills % deaths.length]!;
    const server = await this.#start(death).catch(() => undefined); // it died while it started
    if (server) {
      await this.#createAll(server).catch(() => {}); // it died meanwhile: the next life goes on
      await server.exited;
      await server.stop();
    }
    this.kills++;
    this.#test.onKill?.({ kills: this.kills, death, calls: this.#around.upstream.calls() });
  }

  /** Nothing disturbs this one. */
  async last(): Promise<BatchKillReport> {
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
      this.#checkLedger((await server.admin('GET', '/ledger/verify')).body.faults, results);
      const { dataDirectory } = this.#around;
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
    return this.#around.upstream.calls() - this.#test.batches * this.#test.items;
  }

  #client(server: TestServer): BatchClient {
    return batchClient(server, { flavor: messagesFlavor, key: this.#key });
  }

  async #start(death: Death | undefined): Promise<TestServer> {
    const { random } = this.#test;
    const point = death === 'at-random' ? undefined : death;
    const fault: Fault = { crash: point && { point, passes: 5 + Math.floor(150 * random()) } };
    const server = await startServer({
      config: this.#around.config,
      dataDirectory: this.#around.dataDirectory,
      preload,
      environment: { [FAULT_VARIABLE]: JSON.stringify(fault) },
    });
    if (death) {
      const { longestLifeMs } = this.#around;
      const lifeMs = point ? longestLifeMs + 1_000 : 150 + (longestLifeMs - 150) * random();
      const timer = setTimeout(() => server.signal('SIGKILL'), lifeMs);
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
    const { models, fields } = this.#around;
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
    let answer: Answer;
    do {
      answer = await call(server.url + messagesFlavor.path, { headers, body });
      if (answer.status === 409) await Bun.sleep(10);
    } while (answer.body?.error?.code === 'batch_creation_in_progress');
    this.#noteCreated(`batch-${index}`, answer);
  }

  #noteCreated(name: string, { status, text }: Answer): void {
    if (status !== 200) this.#faults.push(`creation of ${name}: ${status} ${text}`);
    const before = this.#created.get(name);
    if (before !== undefined && before !== text) this.#faults.push(`${name} was created twice`);
    this.#created.set(name, text);
  }

  /** The kinds of all lines; each item has one, which is an answer to its own prompt. */
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
      const said: string = result.message.content[0].text;
      const [index = '', item] = said.split('/');
      const own = this.#batchOf.get(index) ?? id;
      this.#batchOf.set(index, own);
      if (`i${item}` !== custom_id || own !== id)
        this.#faults.push(`${custom_id} of ${id} has the answer to ${said}`);
    }
    return types;
  }

  #checkLedger(verified: Json[], { succeeded = 0 }: Record<string, number>): void {
    const { dataDirectory } = this.#around;
    for (const fault of verified) this.#faults.push(`verify: ${JSON.stringify(fault)}`);
    this.#faults.push(...findContradictions(dataDirectory));
    const billed = readBilled(dataDirectory).length;
    if (billed !== succeeded) this.#faults.push(`${billed} billed of ${succeeded} answered`);
    const holds = countHolds(dataDirectory);
    if (holds > 0) this.#faults.push(`${holds} holds are left`);
  }
}
