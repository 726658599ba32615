import { type AccountName, type Accounts, accountNames, accountSpecs } from '../gateway/accounts.ts';
import type { ModelName } from '../gateway/configuration.ts';
import type { Draws } from '../kernel/draws.ts';
import type { Simulation } from '../kernel/simulation.ts';
import { Call, type CallRecord } from '../network/call.ts';
import { type Asked, type Dialect, isAnswered } from './asked.ts';
import { batchBody, dialects } from './bodies.ts';

/** A batch, as its client knows it. `id` is undefined if no answer to its creation came. */
export type AskedBatch = {
  markers: readonly string[];
  account: AccountName;
  id: string | undefined;
  keys: string;
};

export type ClientsParts = {
  simulation: Simulation;
  accounts: Accounts;
  random: Draws;
  /** The addresses of the nodes. Each call goes to any of them. */
  ports: readonly number[];
};

/** The longest batch. */
const MAX_ITEMS = 4;

const dialectNames = Object.keys(dialects) as Dialect[];

const actions = { ask: 60, burst: 8, stored: 10, repeat: 8, batch: 5, read: 5, 'read usage': 4 };

/** The most requests that a client makes at once. */
const MAX_BURST = 9;
const MAX_RUSH = 16;
const MAX_READS = 40;

/** Clients that ask, leave, repeat and read, in the order that the seed draws. */
export class Clients {
  readonly asked: Asked[] = [];
  readonly batches: AskedBatch[] = [];
  readonly #parts: ClientsParts;
  #count = 0;

  constructor(parts: ClientsParts) {
    this.#parts = parts;
  }

  /** One client, which makes its calls one after the other. */
  async run(calls: number, longestPauseMs: number): Promise<void> {
    const { simulation, random } = this.#parts;
    if (random.chance(0.2)) await this.#spendAll(random.of(['purchased', 'capped', 'budgeted'] as const));
    for (let call = 0; call < calls; call++) {
      await simulation.sleep(random.skewed(1, longestPauseMs), 'client pauses');
      await this.#act();
    }
  }

  async #act(): Promise<void> {
    const { random } = this.#parts;
    const action = random.weighted(actions);
    if (action === 'batch') return this.#createBatch();
    if (action === 'read usage') return void (await this.#get('unlimited', '/v1/usage'));
    if (action === 'read') return this.#readStored();
    if (action === 'repeat') return this.#askTwice();
    if (action === 'burst') return this.#burst();
    const account = random.of(accountNames);
    const { record } = await this.ask({
      account,
      model: random.of(accountSpecs[account].models),
      dialect: action === 'stored' ? 'responses' : random.of(dialectNames),
      isStored: action === 'stored',
      isStream: random.chance(0.6),
      ...this.#manners(),
    });
    if (record.ending === 'refused connection') await this.#parts.simulation.sleep(1_000, 'client waits');
  }

  /** Makes many requests at once, for a limit, for the last credits, or for the few slots of a provider. */
  async #burst(): Promise<void> {
    const { random, simulation } = this.#parts;
    const isForSlots = random.chance(0.3);
    const account = random.of(accountNames);
    const gapMs = random.of([0, 5, 200]);
    const asking: Promise<Asked>[] = [];
    for (let count = random.between(3, MAX_BURST); count > 0; count--) {
      const one = isForSlots ? random.of(['unlimited', 'free'] as const) : account;
      const model = isForSlots ? 'narrow' : random.of(accountSpecs[one].models);
      asking.push(
        this.ask({ account: one, model, dialect: random.of(dialectNames), isStream: random.chance(0.5) }),
      );
      await simulation.sleep(gapMs * random.next());
    }
    await Promise.all(asking);
  }

  /** Asks for more at once than the account can pay for. */
  async #spendAll(account: AccountName): Promise<void> {
    const { random, simulation } = this.#parts;
    // The gateway may still be starting.
    await simulation.sleep(random.between(100, 1_000), 'client pauses');
    const count = random.between(10, MAX_RUSH);
    const asking = Array.from({ length: count }, () =>
      this.ask({
        account,
        model: random.of(['alpha', 'beta'] as const),
        dialect: random.of(dialectNames),
        isStream: random.chance(0.5),
      }),
    );
    await Promise.all(asking);
  }

  /** Draws the behaviour of the client on its connection. */
  #manners(): { leavesAfterMs?: number; readsForMs?: number } {
    const { random } = this.#parts;
    if (random.chance(0.08)) return { leavesAfterMs: random.skewed(1, 4_000) };
    return random.chance(0.05) ? { readsForMs: random.skewed(10, 800) } : {};
  }

  async ask({
    account,
    model,
    dialect,
    isStream,
    isStored = false,
    idempotencyKey,
    marker = `q${++this.#count}`,
    ...manners
  }: {
    account: AccountName;
    model: ModelName;
    dialect: Dialect;
    isStream: boolean;
    isStored?: boolean;
    idempotencyKey?: string;
    marker?: string;
    leavesAfterMs?: number;
    readsForMs?: number;
  }): Promise<Asked> {
    const { simulation, accounts } = this.#parts;
    const { path, header, body } = dialects[dialect];
    const call = new Call(
      simulation,
      {
        method: 'POST',
        path,
        name: `${marker} ${account} ${model}${isStream ? ' stream' : ''}${isStored ? ' stored' : ''} ${JSON.stringify(manners)}`,
        headers: {
          ...header(accounts[account].key),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        body: body({ model, marker, isStream, isStored }),
        ...manners,
      },
      this.#port,
      (record) => {
        if (!passed && isAnswered(asked) && record.host) {
          passed = true;
          simulation.pass('last bytes', record.host);
        }
      },
    );
    let passed = false;
    const { record } = call;
    const asked: Asked = { marker, account, model, dialect, isStream, isStored, idempotencyKey, record };
    this.asked.push(asked);
    await call.done;
    return asked;
  }

  /** Asks, and asks for the same again as a client does whose connection was cut. */
  async #askTwice(): Promise<void> {
    const { random, simulation } = this.#parts;
    const same = {
      account: 'unlimited' as const,
      model: random.of(['alpha', 'beta'] as const),
      dialect: random.of(dialectNames),
      isStream: random.chance(0.5),
      idempotencyKey: `key-${++this.#count}`,
      marker: `q${++this.#count}`,
    };
    const leaves = random.chance(0.5) ? { leavesAfterMs: random.skewed(1, 2_000) } : {};
    await this.ask({ ...same, ...leaves });
    await simulation.sleep(random.skewed(1, 3_000));
    await this.ask(same);
  }

  async #createBatch(): Promise<void> {
    const { random } = this.#parts;
    const account = random.of(['unlimited', 'monthly', 'purchased'] as const);
    const name = `q${++this.#count}`;
    const markers = Array.from({ length: random.between(1, MAX_ITEMS) }, (_, item) => `${name}-${item}`);
    const batch: AskedBatch = { markers, account, id: undefined, keys: `batch-${name}` };
    this.batches.push(batch);
    await this.createAgain(batch, random.of(accountSpecs[account].models.slice(0, 2)));
  }

  /** Sends the creation until it has an answer. The key makes the repetitions one batch. */
  async createAgain(batch: AskedBatch, model: ModelName): Promise<void> {
    const { simulation } = this.#parts;
    const body = batchBody(model, batch.markers);
    for (let attempt = 0; attempt < 20 && batch.id === undefined; attempt++) {
      const { status, received, ending } = await this.#call(batch.account, {
        method: 'POST',
        path: '/v1/messages/batches',
        body,
        headers: { 'idempotency-key': batch.keys },
      });
      if (status === 200 && ending === 'whole') batch.id = JSON.parse(received).id;
      else if (status !== undefined && status < 500 && ![409, 429].includes(status)) return;
      else await simulation.sleep(1_000);
    }
  }

  async #readStored(): Promise<void> {
    const { random } = this.#parts;
    const stored = this.asked.filter((one) => one.isStored && isAnswered(one));
    if (stored.length === 0) return;
    const one = random.of(stored);
    const id = responseIdOf(one);
    if (id) await this.#get(one.account, `/v1/responses/${id}`);
  }

  #get(account: AccountName, path: string): Promise<CallRecord> {
    return this.#call(account, { method: 'GET', path, headers: {} });
  }

  /** A call with the key of an account. */
  #call(
    account: AccountName,
    asking: { method: string; path: string; headers: Record<string, string>; body?: unknown },
  ): Promise<CallRecord> {
    const { simulation, accounts } = this.#parts;
    const headers = { authorization: `Bearer ${accounts[account].key}`, 'x-api-key': accounts[account].key };
    const usual = asking.path.startsWith('/v1/messages')
      ? { 'x-api-key': headers['x-api-key'] }
      : { authorization: headers.authorization };
    return new Call(simulation, { ...asking, headers: { ...usual, ...asking.headers } }, this.#port).done;
  }

  get #port(): number {
    const { ports, random } = this.#parts;
    return ports.length === 1 ? ports[0]! : random.of(ports);
  }

  /** Reads, and reads again while the store is away. */
  async read(account: AccountName, path: string): Promise<CallRecord> {
    for (let attempt = 1; ; attempt++) {
      const record = await this.#get(account, path);
      if ((record.status !== 503 && record.status !== 529) || attempt === MAX_READS) return record;
      await this.#parts.simulation.sleep(1_000, 'reads again');
    }
  }
}

/** The id of a response in an answer of `/v1/responses`. */
export const responseIdOf = ({ record }: Asked): string | undefined =>
  /"id": ?"(resp_[A-Za-z0-9]+)"/.exec(record.handed)?.[1];
