import type { VendorName } from '../gateway/configuration.ts';
import type { Draws } from '../kernel/draws.ts';
import type { Simulation } from '../kernel/simulation.ts';
import type { FetchReply, FetchRequest, FetchServer } from '../network/fetch.ts';
import { drawFate } from './draw-fate.ts';
import { cancelBatch, type NativeBatch, type NativeOutcome, type NativeRequest } from './native-batch.ts';
import { answerPieces, drawText, markerOf, type Wire } from './vendor-answer.ts';

/** The possible fates of a call, each with its weight. */
const fates = { good: 100, 'error 500': 4, 'error 503': 3, 'error 429': 3, lost: 4, 'lost at once': 3 };
type Fate = keyof typeof fates;
const outcomes = { answered: 100, 'error 500': 6, 'error 400': 2, expired: 3, canceled: 2 } as const;

const MAX_ANSWER_MS = 2_000;
const MAX_WORK_MS = 200_000;
/** The list shows a batch this late, if its creation got no answer. */
const MAX_UNLISTED_MS = 4_000;

type BatchVendorParts = {
  simulation: Simulation;
  name: VendorName;
  wire: Wire;
  batches: NativeBatch[];
  /** Called with each new batch. */
  created: (batch: NativeBatch) => void;
  /** Called when the results of a batch are read. */
  read: () => void;
  isDown(): boolean;
  trouble(): number;
};

type BatchLine = { customId: string; params: { model: string; messages: unknown[]; max_tokens?: number } };

/** A vendor with a batch API, in the form of OpenAI or of Anthropic. */
export class BatchVendor implements FetchServer {
  readonly #parts: BatchVendorParts;
  readonly #random: Draws;
  /** The texts of files, by id. */
  readonly #files = new Map<string, string>();
  #count = 0;

  constructor(parts: BatchVendorParts) {
    this.#parts = parts;
    this.#random = parts.simulation.draws(`batches of ${parts.name}`);
  }

  get isDown(): boolean {
    return this.#parts.isDown();
  }

  answer(request: FetchRequest): FetchReply | 'lost' {
    const fate = this.#fate();
    const { method, url } = request;
    this.#parts.simulation.note(`${this.#parts.name} gets ${method} ${url.pathname}: ${fate}`);
    const reply = (status: number, body: unknown): FetchReply => ({
      status,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      afterMs: this.#random.skewed(1, MAX_ANSWER_MS),
    });
    if (fate === 'lost at once') return 'lost';
    if (fate === 'error 429' || fate === 'error 503') return reply(Number(fate.slice(6)), { error: {} });
    const found = this.#handle(request, fate);
    if (fate === 'lost') return 'lost';
    if (fate === 'error 500') return reply(500, { error: {} });
    return found === undefined ? reply(404, { error: {} }) : reply(200, found);
  }

  #fate(): Fate {
    return drawFate(this.#random, fates, this.#parts.trouble());
  }

  #handle({ method, url, body }: FetchRequest, fate: Fate): unknown {
    const path = url.pathname.replace(/^\/v1(\/messages)?/, '');
    if (method === 'POST' && path === '/files') return this.#keepFile(body);
    if (method === 'POST' && path === '/batches') return this.#create(body, fate);
    if (path === '/batches') return this.#list();
    const [, kind, id, action] = path.split('/');
    if (kind === 'files') return this.#file(method, id!);
    const batch = this.#parts.batches.find((one) => one.id === id && !one.isRemoved);
    if (!batch) return undefined;
    if (action === 'cancel') this.#cancel(batch);
    if (action === 'results') return this.#results(batch);
    if (method === 'DELETE') batch.isRemoved = true;
    if (method === 'GET') batch.isPolled = true;
    return this.#view(batch);
  }

  #newId(kind: string): string {
    return `${kind}_${this.#parts.name}_${++this.#count}`;
  }

  #keepFile(text: string): { id: string } {
    const id = this.#newId('file');
    this.#files.set(id, text);
    return { id };
  }

  #file(method: string, id: string): unknown {
    const batch = this.#parts.batches.find((one) => id === `output-${one.id}`);
    if (method === 'DELETE') {
      if (batch) batch.isRemoved = true;
      return { id, deleted: true };
    }
    return batch && !batch.isRemoved ? this.#results(batch) : undefined;
  }

  #create(text: string, fate: Fate): unknown {
    const { simulation, name, batches } = this.#parts;
    const asked = JSON.parse(text) as { input_file_id?: string; metadata?: unknown };
    const random = this.#random;
    const requests = this.#sentIn(text, asked.input_file_id).map((sent) => this.#drawRequest(sent));
    const batch: NativeBatch = {
      id: this.#newId('batch'),
      vendor: name,
      requests,
      metadata: asked.metadata,
      file: asked.input_file_id,
      createdAt: simulation.now,
      listedAt: simulation.now + (fate === 'lost' ? random.skewed(1, MAX_UNLISTED_MS) : 0),
      endsAt: simulation.now + random.skewed(300, MAX_WORK_MS),
      canceledAt: undefined,
      isPolled: false,
      isRead: false,
      isRemoved: false,
    };
    batches.push(batch);
    this.#parts.created(batch);
    simulation.note(`${name} has ${batch.id}: ${requests.map(({ marker }) => marker).join()}`);
    return this.#view(batch);
  }

  #cancel(batch: NativeBatch): void {
    const { simulation } = this.#parts;
    cancelBatch(batch, simulation.now);
    simulation.pass('batch canceled', simulation.outside);
  }

  #sentIn(text: string, file: string | undefined): BatchLine[] {
    if (this.#parts.wire === 'anthropic-messages') {
      const { requests } = JSON.parse(text) as {
        requests: { custom_id: string; params: BatchLine['params'] }[];
      };
      return requests.map(({ custom_id, params }) => ({ customId: custom_id, params }));
    }
    const lines = (this.#files.get(file ?? '') ?? '').split('\n').filter(Boolean);
    return lines.map((line) => {
      const { custom_id, body } = JSON.parse(line) as { custom_id: string; body: BatchLine['params'] };
      return { customId: custom_id, params: body };
    });
  }

  #drawRequest({ customId, params: { model, messages, ...params } }: BatchLine): NativeRequest {
    const { wire } = this.#parts;
    const marker = markerOf(messages);
    const { pieces, usage } = drawText(this.#random, params.max_tokens);
    const reported = this.#random.chance(0.05) ? undefined : usage;
    const request = { wire, model, isStream: false, wantsUsage: true, marker, ceiling: params.max_tokens };
    const [text] = answerPieces({ request, pieces, usage: reported });
    const outcome: NativeOutcome = this.#random.weighted(outcomes);
    return { customId, marker, outcome, body: JSON.parse(text!), usage: reported };
  }

  /** Lists the batches, the latest first. */
  #list(): unknown {
    const { batches, simulation, name } = this.#parts;
    const listed = batches.filter(
      (one) => one.vendor === name && !one.isRemoved && one.listedAt <= simulation.now,
    );
    return { data: listed.toReversed().map((batch) => this.#view(batch)), has_more: false };
  }

  #view(batch: NativeBatch): unknown {
    const { simulation, wire } = this.#parts;
    const { id, requests, metadata, file, createdAt, endsAt } = batch;
    const hasEnded = endsAt <= simulation.now;
    const created = new Date(simulation.startsAt + createdAt);
    if (wire === 'anthropic-messages')
      return {
        id,
        created_at: created.toISOString(),
        processing_status: hasEnded ? 'ended' : 'in_progress',
        request_counts: hasEnded ? { succeeded: requests.length } : { processing: requests.length },
      };
    return {
      id,
      created_at: Math.floor(created.getTime() / 1_000),
      status: hasEnded ? 'completed' : 'in_progress',
      metadata,
      input_file_id: file,
      output_file_id: hasEnded ? `output-${id}` : null,
      request_counts: { total: requests.length },
    };
  }

  #results(batch: NativeBatch): string | undefined {
    if (batch.endsAt > this.#parts.simulation.now) return undefined;
    batch.isRead = true;
    this.#parts.read();
    const line = lines[this.#parts.wire];
    return batch.requests.map((request) => `${JSON.stringify(line(request))}\n`).join('');
  }
}

/** The result of a request in the form of each vendor. */
const lines: Record<Wire, (request: NativeRequest) => unknown> = {
  'openai-chat': ({ customId, outcome, body }) => {
    if (outcome === 'expired') return { custom_id: customId, error: { code: 'batch_expired' } };
    if (outcome === 'canceled') return { custom_id: customId, error: { code: 'batch_cancelled' } };
    const status_code = outcome === 'answered' ? 200 : Number(outcome.slice(6));
    return { custom_id: customId, response: { status_code, body: outcome === 'answered' ? body : {} } };
  },
  'anthropic-messages': ({ customId, outcome, body }) => {
    if (outcome === 'answered') return { custom_id: customId, result: { type: 'succeeded', message: body } };
    if (outcome === 'expired' || outcome === 'canceled')
      return { custom_id: customId, result: { type: outcome } };
    const type = outcome === 'error 400' ? 'invalid_request_error' : 'api_error';
    return { custom_id: customId, result: { type: 'errored', error: { error: { type } } } };
  },
};
