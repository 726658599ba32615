import { Refusal } from '../../base/errors/refusal.ts';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { newId } from '../../base/lib/ids.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { STORED_ROW_BYTES } from '../../money/limits/stored-bytes.ts';
import { noteModel } from '../admission/read-request.ts';
import { expiryOf } from '../conversation/expiry-of.ts';
import type { BackgroundArrival, BackgroundDialect } from '../request/background-starter.ts';
import type { Inference } from '../request/inference.ts';
import { type BackgroundExchangeParts, backgroundExchange, keptHeaders } from './background-exchange.ts';
import type { BackgroundJob } from './background-job.ts';
import type { BackgroundParts } from './background-parts.ts';
import type { BackgroundResponse } from './background-store.ts';
import { cancelBackground, type RunningJob } from './cancel-background.ts';
import { createBackgroundJob, type NewJob } from './create-background-job.ts';
import { followFrames } from './follow-frames.ts';
import { prepareAgain, prepareBackground } from './prepare-background.ts';

/**
 * A process holds its responses this long, and renews that. Another process makes them again after its crash.
 */
const HELD_MS = 30_000;
const LOOK_EVERY_MS = 1_000;
const LOOK_AT_OTHERS_EVERY_MS = 5_000;
/** A response is begun at most this often. */
const MAX_ATTEMPTS = 2;

export class BackgroundResponses {
  readonly #parts: BackgroundParts;
  /** Names this process among those that share the store. */
  readonly #holder = newId('bg_');
  readonly #jobs = new Map<string, RunningJob>();
  #timer: Timer | undefined;
  #lookedAt = 0;
  #looking: Promise<void> | undefined;
  #isStopped = false;

  constructor(parts: BackgroundParts) {
    this.#parts = parts;
  }

  /** Makes again what the previous process or another node has left. */
  start(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
    this.#timer.unref();
    const { store, isAlone, onFailure } = this.#parts;
    if (isAlone)
      void store
        .listUnheld({ notBy: this.#holder })
        .then((ids) => this.#takeAll(ids, { areLeft: true }))
        .catch(onFailure);
    else this.#look();
  }

  /** Takes up no more responses of other processes. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  /** Leaves the responses to the next process. */
  async close(): Promise<void> {
    this.leave();
    await this.#looking;
    this.leave(); // one may have been taken up meanwhile
    await Promise.all([...this.#jobs.values()].map(({ done }) => done));
  }

  /** Ends the work on all responses without their end. */
  leave(): void {
    this.stop();
    const reason = new Unavailable('The server is shutting down', 'retry the request');
    for (const { job } of this.#jobs.values()) job.leave(reason);
  }

  /** Checks a request, holds its credit and begins the response. */
  async begin({ exchange, principal, body, dialect }: BackgroundArrival): Promise<Reply | Refusal> {
    const { services, store } = this.#parts;
    noteModel(exchange, body.value.model);
    const checked = dialect.read(body);
    if (checked instanceof Refusal) return checked;
    const bytes = body.text.length + STORED_ROW_BYTES;
    const full =
      services.storage.refuseAsFull() ??
      (await services.storage.refuseStored(exchange, principal, {
        bytes,
        name: dialect.keepsAnswers?.noun ?? 'response',
      }));
    if (full) return full;
    const controller = new AbortController();
    const headers = keptHeaders(exchange.request.headers);
    const forwarded = exchange.request.headers.get('x-forwarded-for');
    const own = this.#exchangeOf(exchange.requestId, {
      path: dialect.runsInBackground.path,
      headers: { ...headers, ...(forwarded !== null && { 'x-forwarded-for': forwarded }) },
      signal: controller.signal,
      address: exchange.peer(),
    });
    const recognized = await this.#parts.authenticator.recognize(own, principal.apiKey.id);
    if (recognized instanceof Refusal) return recognized;
    const prepared = await prepareBackground(this.#parts, { exchange: own, principal, body, dialect });
    Object.assign(exchange.headers, own.headers);
    if (prepared instanceof Refusal) return prepared;
    exchange.isHandedOver = true;
    const now = services.clock.now();
    const queued = queuedEnvelope(prepared, dialect, now);
    const row = queuedRow(
      { exchange, principal, body, dialect },
      { id: prepared.id, headers: JSON.stringify(headers), envelope: queued, stored: bytes, createdAt: now },
    );
    try {
      await store.createBackground({ ...row, holder: this.#holder, heldUntil: now + HELD_MS });
    } catch (error) {
      await prepared.tab.close();
      await prepared.conversation?.leave?.();
      throw error;
    }
    this.#run(this.#newJob({ row, exchange: own, controller, dialect }), prepared);
    if (body.value.stream !== true)
      return { status: 200, body: queued, headers: { 'content-type': 'application/json' } };
    const { clock } = services;
    return followFrames(store, row, { after: -1, clock, style: exchange.style });
  }

  /** Cancels a response, and waits until it has ended. Returns undefined if there is none. */
  cancel(wanted: { id: string; keyId: string }): Promise<BackgroundResponse | undefined> {
    const { store, services } = this.#parts;
    return cancelBackground(wanted, {
      store,
      clock: services.clock,
      ownJob: () => this.#jobs.get(wanted.id),
    });
  }

  #exchangeOf(
    requestId: string,
    from: Pick<BackgroundExchangeParts, 'path' | 'headers' | 'signal' | 'address'>,
  ): Exchange {
    const { snapshot, onExchangeFailure: onFailure, opened } = this.#parts;
    const exchange = backgroundExchange({ requestId, ...from, snapshot: snapshot(), onFailure });
    opened(exchange);
    return exchange;
  }

  #newJob(job: NewJob): BackgroundJob {
    const { store, services } = this.#parts;
    return createBackgroundJob(job, { store, holder: this.#holder, clock: services.clock });
  }

  #run(job: BackgroundJob, prepared: Inference): void {
    const { observe, onFailure, store } = this.#parts;
    const done = job
      .run(prepared)
      .then(async (refusal) => {
        if (job.isLeft) return store.putBack({ id: job.id, holder: this.#holder });
        job.exchange.notes.status = refusal?.status ?? 200;
        observe(job.exchange, refusal);
      })
      .catch(onFailure)
      .finally(() => {
        job.exchange.booking?.free();
        this.#jobs.delete(job.id);
      });
    this.#jobs.set(job.id, { job, done });
  }

  /** Renews what this process holds, and takes up what others have left. */
  #look(): void {
    this.#looking ??= this.#lookOnce()
      .catch(this.#parts.onFailure)
      .finally(() => {
        this.#looking = undefined;
      });
  }

  async #lookOnce(): Promise<void> {
    const { store, services } = this.#parts;
    const now = services.clock.now();
    if (this.#jobs.size > 0)
      for (const id of await store.renewHeld(this.#holder, now + HELD_MS)) this.#jobs.get(id)?.job.cancel();
    if (Math.abs(now - this.#lookedAt) < LOOK_AT_OTHERS_EVERY_MS) return;
    this.#lookedAt = now;
    await this.#takeAll(await store.listUnheld({ now }));
  }

  async #takeAll(ids: readonly string[], { areLeft = false } = {}): Promise<void> {
    const { store, services } = this.#parts;
    for (const id of ids) {
      if (this.#isStopped || this.#jobs.has(id)) continue;
      const now = services.clock.now();
      const taking = { id, holder: this.#holder, heldUntil: now + HELD_MS };
      const takenResponse = await store.takeBackground({
        ...taking,
        now: areLeft ? Number.MAX_SAFE_INTEGER : now,
      });
      if (takenResponse) await this.#makeAgain(takenResponse);
    }
  }

  /** Makes a response again whose process has died. */
  async #makeAgain(row: BackgroundResponse): Promise<void> {
    const { store, madeEnvelope, observe, dialects } = this.#parts;
    const dialect = dialects.find(({ idPrefix }) => row.id.startsWith(idPrefix))!;
    const controller = new AbortController();
    const headers = JSON.parse(row.headers) as Record<string, string>;
    const exchange = this.#exchangeOf(row.requestId, {
      path: dialect.runsInBackground.path,
      headers,
      signal: controller.signal,
      address: '',
    });
    const job = this.#newJob({ row, exchange, controller, dialect });
    await store.dropFrames({ id: row.id, holder: this.#holder });
    const envelope = await madeEnvelope({ id: row.id, keyId: row.keyId });
    if (envelope !== undefined) {
      await job.endAs('completed', envelope);
      return;
    }
    if (row.isCanceled) job.cancel();
    if (row.isCanceled || row.attempts > MAX_ATTEMPTS) {
      await job.end(
        new Refusal('internal_error', { message: 'The server ended twice while the response was made.' }),
      );
      return;
    }
    const prepared = await prepareAgain(this.#parts, row, { exchange, dialect }).catch((error: unknown) => {
      exchange.reportFailure(error);
      return new Refusal('internal_error');
    });
    if (prepared instanceof Refusal) {
      const refusal = await job.end(prepared);
      exchange.notes.status = prepared.status;
      observe(exchange, refusal);
      return;
    }
    this.#run(job, prepared);
  }
}

function queuedEnvelope(
  { id, request }: Inference,
  { runsInBackground }: BackgroundDialect,
  now: number,
): string {
  const { model, body, echo } = request;
  return runsInBackground.queued({
    responseId: id,
    model,
    createdAt: Math.floor(now / 1_000),
    body,
    echo,
  });
}

function queuedRow(
  { exchange, principal, body }: BackgroundArrival,
  made: Pick<BackgroundResponse, 'id' | 'headers' | 'envelope' | 'stored' | 'createdAt'>,
): BackgroundResponse & { until: number } {
  return {
    ...made,
    requestId: exchange.requestId,
    keyId: principal.apiKey.id,
    accountId: principal.account.id,
    ...expiryOf(exchange, made.createdAt),
    body: body.text,
    status: 'queued',
    attempts: 1,
    isCanceled: false,
  };
}
