import type { AccountName, Accounts } from '../gateway/accounts.ts';
import { BRAND, type ModelName } from '../gateway/configuration.ts';
import type { Draws } from '../kernel/draws.ts';
import type { Simulation } from '../kernel/simulation.ts';
import { Call, type CallRecord } from '../network/call.ts';
import type { Script } from '../vendors/vendor.ts';
import {
  type Asked,
  type Dialect,
  hasEnd,
  isAnswered,
  lastFrameOf,
  replayedIdOf,
  requestIdOf,
} from './asked.ts';
import type { BackgroundJob } from './background-job.ts';
import { batchBody, dialects } from './bodies.ts';
import type { ClientBatch } from './client-batch.ts';

/** The model and the processing mode of a batch. */
type BatchOptions = { model: ModelName; mode: string };

type ClientsParts = {
  simulation: Simulation;
  accounts: Accounts;
  random: Draws;
  /** The ports of the nodes. Each call goes to one of them. */
  ports: readonly number[];
  /** Called when a further reader of an answer gets its end. */
  onEndRead: (requestId: string, reader: string) => void;
};

/** A request that a client makes. */
export type Ask = {
  account: AccountName;
  model: ModelName;
  dialect: Dialect;
  isStream: boolean;
  isStored?: boolean;
  isOpen?: boolean;
  isLong?: boolean;
  conversation?: string;
  isResumable?: boolean;
  /** The address of the client. */
  from?: string;
  idempotencyKey?: string;
  marker?: string;
  leavesAfterMs?: number;
  readsForMs?: number;
  /** The answers of its vendors. Undefined if they are drawn. */
  script?: Script;
};

const MAX_READS = 40;
const RESUMABLE_HEADER = `x-${BRAND}-resumable`;

/** A client that resumes a stream after a number of frames. */
type Resumed = { one: Asked; after: number; record: CallRecord };

/** The clients of a run. They ask, leave, repeat and read in the order that the seed draws. */
export class Clients {
  readonly asked: Asked[] = [];
  readonly batches: ClientBatch[] = [];
  readonly jobs: BackgroundJob[] = [];
  /** The ids of conversations. */
  readonly conversations: string[] = [];
  readonly resumed: Resumed[] = [];
  /** The requests whose streams are very slow, each with the time that its stream takes. */
  readonly slow = new Map<string, number>();
  /** The answers of vendors to the requests that have a script, by marker. */
  readonly scripts = new Map<string, Script>();
  readonly simulation: Simulation;
  readonly random: Draws;
  readonly #parts: ClientsParts;
  #count = 0;
  readonly #upstreamEnds = new Map<AccountName, PromiseWithResolvers<void>>();

  constructor(parts: ClientsParts) {
    this.#parts = parts;
    this.simulation = parts.simulation;
    this.random = parts.random;
  }

  /** Returns a name that no other request or key has. */
  newName(): string {
    return `q${++this.#count}`;
  }

  /** Returns the account of a request. */
  accountOf(marker: string): AccountName | undefined {
    return this.asked.find((one) => one.marker === marker)?.account;
  }

  /** Finds the batch of an item. */
  batchOf(marker: string): ClientBatch | undefined {
    return this.batches.find(({ markers }) => markers.includes(marker));
  }

  /** Lets a client continue that waits until a vendor has ended or broken off an answer. */
  upstreamEnded(marker: string): void {
    const account = this.accountOf(marker);
    const waiting = account && this.#upstreamEnds.get(account);
    if (!waiting) return;
    this.#upstreamEnds.delete(account);
    waiting.resolve();
  }

  /** Resolves at the next end of a vendor's answer to this account, or after a while. */
  nextUpstreamEnd(account: AccountName, maxMs: number): Promise<unknown> {
    const waiting = this.#upstreamEnds.get(account) ?? Promise.withResolvers<void>();
    this.#upstreamEnds.set(account, waiting);
    return Promise.race([waiting.promise, this.simulation.sleep(maxMs, 'waits for an upstream')]);
  }

  async ask({
    account,
    model,
    dialect,
    isStream,
    isStored = false,
    isOpen = false,
    isLong = false,
    isResumable = false,
    idempotencyKey,
    conversation,
    marker = this.newName(),
    script,
    ...manners
  }: Ask): Promise<Asked> {
    const { simulation, accounts } = this.#parts;
    if (script) this.scripts.set(marker, script);
    const { path, header, body } = dialects[dialect];
    const call = new Call(
      simulation,
      {
        method: 'POST',
        path,
        name: `${marker} ${account} ${model}${isStream ? ' stream' : ''}${isStored ? ' stored' : ''}${isOpen ? ' open' : ''}${isLong ? ' long' : ''}${isResumable ? ' resumable' : ''} ${JSON.stringify(manners)}`,
        headers: {
          ...header(accounts[account].key),
          ...(isResumable && { [RESUMABLE_HEADER]: 'true' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        body: body({ model, marker, isStream, isStored, isOpen, isLong, conversation }),
        ...manners,
      },
      this.#port,
      (record, isWhole) => {
        if (passed || !record.host) return;
        if (isWhole && record.status === 200 && !isAnswered(asked))
          simulation.pass('answer failed', record.host);
        if (!isAnswered(asked)) return;
        passed = true;
        const replayedId = replayedIdOf(asked);
        if (replayedId !== undefined) this.#parts.onEndRead(replayedId, marker);
        simulation.pass('last bytes', record.host);
      },
    );
    let passed = false;
    const { record } = call;
    const asked: Asked = {
      marker,
      account,
      model,
      dialect,
      isStream,
      isStored,
      isOpen,
      isLong,
      isResumable,
      idempotencyKey,
      conversation,
      record,
    };
    this.asked.push(asked);
    await call.done;
    return asked;
  }

  /** Sends the creation until it has an answer. The key makes the repetitions one batch. */
  async createBatch(batch: ClientBatch, options: BatchOptions): Promise<void> {
    const { simulation } = this.#parts;
    this.batches.push(batch);
    for (let attempt = 0; attempt < 20 && batch.id === undefined; attempt++) {
      const { id, status } = await this.#postBatch(batch, options);
      if (id !== undefined) batch.id = id;
      else if (status !== undefined && status < 500 && ![409, 429].includes(status)) return;
      else await simulation.sleep(1_000);
    }
  }

  /** Creates a batch again under its key, and expects the answer of the first creation. */
  async repeatCreation(batch: ClientBatch, options: BatchOptions): Promise<void> {
    const { id } = await this.#postBatch(batch, options);
    if (id !== undefined && id !== batch.id)
      this.#parts.simulation.fail(`the creation of ${batch.id} was repeated and made ${id}`);
  }

  cancelBatch(batch: ClientBatch): Promise<CallRecord> {
    batch.isCanceled = true;
    const path = `/v1/messages/batches/${batch.id}/cancel`;
    return this.call(batch.account, { method: 'POST', path, headers: {}, body: {} });
  }

  /** Returns the id of the batch if the answer is whole. */
  async #postBatch({ account, markers, idempotencyKey }: ClientBatch, { model, mode }: BatchOptions) {
    const { status, received, ending } = await this.call(account, {
      method: 'POST',
      path: '/v1/messages/batches',
      body: { ...batchBody(model, markers), processing_mode: mode },
      headers: { 'idempotency-key': idempotencyKey },
    });
    const isCreated = status === 200 && ending === 'whole';
    return { status, id: isCreated ? (JSON.parse(received).id as string) : undefined };
  }

  get(account: AccountName, path: string): Promise<CallRecord> {
    return this.call(account, { method: 'GET', path, headers: {} });
  }

  /** Reads a stream again: from its beginning, or after the last frame that its client has. */
  async resume(one: Asked, from: 'beginning' | 'last frame'): Promise<void> {
    const requestId = requestIdOf(one);
    if (requestId === undefined) return;
    const { simulation, accounts } = this.#parts;
    const last = from === 'last frame' ? lastFrameOf(one.record.received) : undefined;
    let passed = false;
    const call = new Call(
      simulation,
      {
        method: 'GET',
        path: `/v1/streams/${requestId}`,
        name: `resumes ${one.marker}`,
        headers: {
          authorization: `Bearer ${accounts[one.account].key}`,
          ...(last && { 'last-event-id': last.id }),
        },
      },
      this.#port,
      ({ handed }) => {
        if (passed || !hasEnd(one, handed)) return;
        passed = true;
        this.#parts.onEndRead(requestId, `a reader of ${one.marker}`);
      },
    );
    this.resumed.push({ one, after: last?.number ?? 0, record: call.record });
    await call.done;
  }

  /** Calls with the key of an account. */
  call(
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
      const record = await this.get(account, path);
      if ((record.status !== 503 && record.status !== 529) || attempt === MAX_READS) return record;
      await this.#parts.simulation.sleep(1_000, 'reads again');
    }
  }
}
