import { Refusal } from '../../base/errors/refusal.ts';
import type { SpentMemory } from '../../base/jobs/spent-memory.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import { DAY_MS } from '../../base/lib/units.ts';
import type { BodyReader } from '../../edge/http/create-body-reader.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { publicUrl } from '../../edge/http/public-url.ts';
import { readIdempotencyKey } from '../../edge/http/read-idempotency-key.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { Principal } from '../../money/auth/principal.ts';
import { startOver } from '../../money/auth/start-over.ts';
import type { CountedBatch } from '../stored/batch.ts';
import type { WantedBatch } from '../stored/batch-store.ts';
import type { Collection } from '../stored/collection.ts';
import { pageView, readBounds, unknownBound } from './batch-pages.ts';
import { batchExpired, batchNotFound, notEnded } from './batch-refusals.ts';
import { batchView } from './batch-view.ts';
import { createOnce, type OnceParts } from './create-once.ts';
import { sendResults } from './send-results.ts';

/** The time for which a request for the results of an expired batch gets 410 instead of 404. */
export const REMEMBERED_MS = 7 * DAY_MS;

export type BatchServiceParts = OnceParts & {
  readBody: BodyReader;
  /** Counts the garbage that large bodies leave. */
  spent: SpentMemory;
  /** Reports that a batch was canceled, so that none of its items start. */
  onCanceled(id: string): void;
};

const AFTER_ANSWER_MS = 50;

/** A request to a collection, with its caller. */
export type CollectionCall = {
  exchange: Exchange;
  principal: Principal;
  collection: Collection;
  /** Authenticates the request again after its account or key has changed. */
  authenticateAgain(stale: Principal): MaybeLater<Principal | Refusal>;
};

type Answer = Promise<Reply | Refusal>;

/** The operations on the batches of a key. */
export class BatchService {
  readonly #parts: BatchServiceParts;

  constructor(parts: BatchServiceParts) {
    this.#parts = parts;
  }

  async create(call: CollectionCall): Answer {
    const key = readIdempotencyKey(call.exchange.request.headers);
    if (key instanceof Refusal) return key;
    const body = await this.#parts.readBody(call.exchange);
    if (body instanceof Refusal) return body;
    const createFor = (principal: Principal) => createOnce({ ...call, principal, body }, key, this.#parts);
    const created = await createFor(call.principal).catch((error) =>
      startOver(error, call.principal, { authenticate: call.authenticateAgain, work: createFor }),
    );
    this.#addGarbage(body.text.length);
    if (created instanceof Refusal) return created;
    const replayed = created.isReplayed && { 'idempotency-replayed': 'true' };
    return { status: 200, body: created.body, headers: { 'content-type': 'application/json', ...replayed } };
  }

  async list({ exchange, principal, collection: { id } }: CollectionCall): Answer {
    const bounds = readBounds(id, exchange.query);
    if (bounds instanceof Refusal) return bounds;
    const { store, clock } = this.#parts;
    const owner = { keyId: principal.apiKey.id, collection: id };
    const page = await store.listBatches({ ...owner, ...bounds, now: clock.now() });
    if ('fault' in page) return unknownBound(id, page.fault);
    const views = page.items.map((batch) => batchView(batch, publicUrl(exchange)));
    return jsonReply(200, pageView(id, views, page.hasMore));
  }

  async show(call: CollectionCall): Answer {
    const batch = await this.#find(call);
    return batch instanceof Refusal ? batch : viewReply(call, batch);
  }

  async cancel(call: CollectionCall): Answer {
    const batch = await this.#find(call);
    if (batch instanceof Refusal) return batch;
    const { store, clock } = this.#parts;
    const canceledBatch = await store.cancelBatch(wantedBy(call), clock.now());
    if (!canceledBatch) return batchNotFound(batch.id);
    this.#parts.onCanceled(batch.id);
    return viewReply(call, canceledBatch);
  }

  async results(call: CollectionCall): Answer {
    const wanted = wantedBy(call);
    const batch = await this.#parts.store.findBatch(wanted);
    const now = this.#parts.clock.now();
    if (!batch || now >= batch.expiresAt + REMEMBERED_MS) return batchNotFound(wanted.id);
    if (now >= batch.expiresAt) return batchExpired();
    if (batch.endedAt === null)
      return notEnded(batch, 'When processing_status is ended, its results are available.');
    const body = sendResults(this.#parts.store, batch);
    return { status: 200, body, headers: { 'content-type': 'application/x-jsonl' } };
  }

  async delete(call: CollectionCall): Answer {
    const batch = await this.#find(call);
    if (batch instanceof Refusal) return batch;
    if (batch.endedAt === null) return notEnded(batch, 'When processing_status is ended, it can be deleted.');
    await this.#parts.store.deleteBatch(wantedBy(call));
    return jsonReply(200, { id: batch.id, type: `${call.collection.label.type}_deleted` });
  }

  /** Reports the body as garbage after its answer has been sent, since only then the body is released. */
  #addGarbage(characters: number): void {
    setTimeout(() => this.#parts.spent.add(characters), AFTER_ANSWER_MS).unref();
  }

  /** Finds a batch that has not expired. */
  async #find(call: CollectionCall): Promise<CountedBatch | Refusal> {
    const wanted = wantedBy(call);
    const batch = await this.#parts.store.findBatch(wanted);
    return batch && this.#parts.clock.now() < batch.expiresAt ? batch : batchNotFound(wanted.id);
  }
}

const viewReply = ({ exchange }: CollectionCall, batch: CountedBatch): Reply =>
  jsonReply(200, batchView(batch, publicUrl(exchange)));

const wantedBy = ({ exchange, principal, collection }: CollectionCall): WantedBatch => ({
  // The routes of one batch have this parameter.
  id: exchange.params.id!,
  keyId: principal.apiKey.id,
  collection: collection.id,
});
