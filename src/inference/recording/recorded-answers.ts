import { Refusal } from '../../base/errors/refusal.ts';
import { refusalOfError } from '../../base/errors/refusal-of-error.ts';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { hashJsonValue } from '../../base/json/hash-json-value.ts';
import { newId } from '../../base/lib/ids.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Reply, WrittenBody } from '../../edge/http/reply.ts';
import { asWritten, ReaderGone } from '../../edge/http/stream-body.ts';
import { StaleCaller } from '../../money/auth/stale-caller.ts';
import type { AnswerRecorder } from '../request/answer-recorder.ts';
import type { ArrivedRequest } from '../request/inference.ts';
import { frameIdPrefix } from './frame-numberer.ts';
import { generatingEndpoints } from './generating-endpoints.ts';
import { JoinedAnswers, MADE_ANEW } from './joined-answers.ts';
import { Recording } from './recording.ts';
import { type RecordingOrder, recordingOrder } from './recording-order.ts';
import type { RecordingParts } from './recording-parts.ts';
import type { NewRecording, RecordedAnswer } from './recording-store.ts';
import { RecordingWriter } from './recording-writer.ts';

/** A process that does not renew its hold for this long has died. */
const HELD_MS = 10_000;
const READ_MS = 3_000;
const RENEW_EVERY_MS = 1_000;
/** A request that only retries of SDKs can join goes on for at most this long. */
const JOIN_GRACE_MS = 10_000;
/** An answer that runs is kept for at least this long. */
const RUNNING_MS = 600_000;
const MEGABYTE = 1024 * 1024;
/** The share of an account in what is kept for retries. */
const ACCOUNT_SHARE = 1 / 8;

type ArrivedOrder = ArrivedRequest & { order: RecordingOrder };
type TrimBounds = { maxReplayBytes: number; maxStreamBytes: number; isResumable: boolean };
type MadeReply = Promise<Reply | Refusal>;

/**
 * Records answers, so that a retry joins a running request or gets the finished answer again,
 * and streams can be read again.
 */
export class RecordedAnswers implements AnswerRecorder {
  readonly #parts: RecordingParts;
  /** Names this process as the holder and the reader of answers. */
  readonly holder = newId('rec_');
  readonly #running = new Map<string, Recording>();
  /** The ids of answers that are not valid and are still in the store, which was unavailable. */
  readonly #invalid = new Set<string>();
  readonly #joined: JoinedAnswers;
  /** The bytes of the streams and of the other answers that run. */
  readonly #bytes = { stream: 0, replay: 0 };
  #timer: Timer | undefined;
  #trimmedAt = 0;

  constructor(parts: RecordingParts) {
    this.#parts = parts;
    this.#joined = new JoinedAnswers({
      ...parts,
      holder: this.holder,
      running: this.#running,
      invalid: this.#invalid,
    });
  }

  /** Forgets what the process before this one has left. */
  start(): void {
    const { store, clock, isShared, onFailure } = this.#parts;
    this.#timer = setInterval(() => void this.#renew(), RENEW_EVERY_MS);
    this.#timer.unref();
    if (!isShared) store.leaveOthers(this.holder, clock.now()).catch(onFailure);
  }

  /** Ends the answers that nobody waits for. */
  close(): void {
    clearInterval(this.#timer);
    for (const recording of this.#running.values()) recording.abandon();
  }

  /** The recording of a request that runs in this process. */
  running(requestId: string): Recording | undefined {
    return this.#running.get(requestId);
  }

  /** Answers a request with an earlier answer, or with the one that `make` makes and that is recorded. */
  answer(arrived: ArrivedRequest, make: () => MadeReply): MadeReply | undefined {
    const order = recordingOrder(arrived);
    if (order === undefined) return undefined;
    if (order instanceof Refusal) return Promise.resolve(order);
    return this.#answer({ ...arrived, order }, make);
  }

  async #answer(arrived: ArrivedOrder, make: () => MadeReply): MadeReply {
    let begun: Recording | undefined | Reply | Refusal;
    try {
      begun = await this.#begin(arrived);
    } catch (error) {
      if (!(error instanceof Unavailable) || error instanceof StaleCaller) throw error;
      // Without the store, answers are made and not recorded.
      this.#parts.onFailure(error);
    }
    if (begun === undefined) return make();
    return begun instanceof Recording ? this.#record(begun, arrived, make) : begun;
  }

  async #begin(arrived: ArrivedOrder): Promise<Recording | Reply | Refusal> {
    const { exchange, principal, body, order } = arrived;
    // Nothing asks whether the body of a request that is resumable only was sent before.
    const isNamed = order.isJoinable || order.idempotencyKey !== undefined;
    const bodyHash = isNamed ? await hashJsonValue(body.value) : '';
    const named = { keyId: principal.apiKey.id, path: exchange.path, bodyHash };
    if (order.isRetry) {
      const found = await this.#joined.claim(named);
      const joined = found && (await this.#joined.join(found, arrived));
      if (joined && joined !== MADE_ANEW) return joined;
    }
    for (;;) {
      const recording = this.#recordingOf(arrived);
      // It is known here before it is in the store, so that no second request of this process misses it.
      this.#running.set(recording.requestId, recording);
      const earlier = await this.#parts.store.begin(this.#rowOf(arrived, bodyHash)).catch((error) => {
        this.#running.delete(recording.requestId);
        throw error;
      });
      if (!earlier) return recording;
      this.#running.delete(recording.requestId);
      const joined = await this.#answerAgain(earlier, arrived, bodyHash);
      if (joined !== MADE_ANEW) return joined;
    }
  }

  /** Answers a request whose idempotency key was used before. */
  async #answerAgain(earlier: RecordedAnswer, arrived: ArrivedOrder, bodyHash: string) {
    if (earlier.bodyHash !== bodyHash) {
      const isOver = await this.#joined.isOver(earlier);
      if (!isOver) return new Refusal('idempotency_conflict');
    } else {
      const joined = await this.#joined.join(earlier, arrived);
      if (joined !== MADE_ANEW) return joined;
    }
    const recording = this.#running.get(earlier.requestId);
    if (recording?.hasFailed) await recording.ended;
    await this.#parts.store.release(earlier.requestId);
    return MADE_ANEW;
  }

  #rowOf({ exchange, principal, order }: ArrivedOrder, bodyHash: string): NewRecording {
    const now = this.#parts.clock.now();
    return {
      requestId: exchange.requestId,
      keyId: principal.apiKey.id,
      accountId: principal.account.id,
      path: exchange.path,
      idempotencyKey: order.idempotencyKey ?? null,
      bodyHash,
      isJoinable: order.isJoinable,
      isResumable: order.isResumable,
      hasIds: hasIds(exchange, order),
      createdAt: now,
      expiresAt: now + RUNNING_MS,
      holder: this.holder,
      heldUntil: now + HELD_MS,
      readUntil: now + READ_MS,
    };
  }

  #recordingOf({ exchange, principal, order }: ArrivedOrder): Recording {
    const { store, clock, memory, isShared, onFailure } = this.#parts;
    const { limits, retention } = exchange.snapshot.config;
    const { requestId } = exchange;
    const { isResumable, idempotencyKey } = order;
    const graceMs = limits.resume_grace_s * 1_000;
    const maxReplayBytes = limits.replay_mb * MEGABYTE * ACCOUNT_SHARE;
    const maxStreamBytes = limits.stream_log_mb * MEGABYTE;
    return new Recording({
      requestId,
      accountId: principal.account.id,
      isResumable,
      idPrefix: hasIds(exchange, order) ? frameIdPrefix(requestId) : undefined,
      store,
      holder: this.holder,
      clock,
      isShared,
      graceMs: isResumable || idempotencyKey !== undefined ? graceMs : Math.min(graceMs, JOIN_GRACE_MS),
      replaysMs: idempotencyKey !== undefined || order.isJoinable ? retention.replays_s * 1_000 : undefined,
      streamsMs: retention.streams_s * 1_000,
      maxReplayBytes,
      maxBytes: isResumable ? maxStreamBytes : maxReplayBytes,
      mayRecord: (bytes) => {
        const kind = isResumable ? 'stream' : 'replay';
        this.#bytes[kind] += bytes;
        return this.#bytes[kind] <= (isResumable ? maxStreamBytes : limits.replay_mb * MEGABYTE);
      },
      openMemory: () => memory.open(principal.account.id),
      onKept: () => this.#trim(principal.account.id, { maxReplayBytes, maxStreamBytes, isResumable }),
      onUnwritten: () => this.#invalid.add(requestId),
      onFailure,
    });
  }

  /**
   * Removes the oldest of what is kept beyond the bounds.
   * The sums of all accounts are looked at once a second.
   */
  async #trim(accountId: string, { maxReplayBytes, maxStreamBytes, isResumable }: TrimBounds): Promise<void> {
    const { store } = this.#parts;
    await store.trim({ kind: 'replays', accountId, maxBytes: maxReplayBytes });
    const now = performance.now();
    if (now - this.#trimmedAt < RENEW_EVERY_MS) return;
    this.#trimmedAt = now;
    await store.trim({ kind: 'replays', accountId: null, maxBytes: maxReplayBytes / ACCOUNT_SHARE });
    if (isResumable) await store.trim({ kind: 'streams', accountId: null, maxBytes: maxStreamBytes });
  }

  /** Makes an answer, and keeps it when it is whole. */
  async #record(recording: Recording, { exchange, order }: ArrivedOrder, make: () => MadeReply): MadeReply {
    const { signal } = exchange.request;
    const leave = this.#readerOf(recording, order);
    const gone = () => leave(false);
    if (signal.aborted) gone();
    else signal.addEventListener('abort', gone);
    exchange.patience = recording.patience;
    exchange.recording = recording;
    try {
      const reply = await make();
      if (reply instanceof Refusal) return await this.#refuse(recording, reply, leave);
      if (exchange.isHandedOver) {
        await this.#handOver(recording, exchange, reply);
        leave(!signal.aborted);
        return reply;
      }
      recording.begin({ status: reply.status, type: reply.headers?.['content-type'] ?? '' });
      const body = asWritten(reply.body);
      if (body && recording.body === undefined)
        return { ...reply, body: this.#writeRecorded(recording, { exchange, body, leave }) };
      await this.#end(recording);
      leave(!signal.aborted);
      return reply;
    } catch (error) {
      await this.#refuse(recording, refusalOfError(error), leave);
      throw error;
    }
  }

  async #refuse(recording: Recording, refusal: Refusal, leave: (isDelivered: boolean) => void) {
    recording.giveUp();
    await this.#end(recording, refusal);
    leave(true);
    return refusal;
  }

  /** A response in the background goes on by itself, and has a log of its own. */
  async #handOver(recording: Recording, { requestId }: Exchange, reply: Reply): Promise<void> {
    const queued = typeof reply.body === 'string' ? reply.body : '';
    await recording.keepBackground(`resp_${requestId.slice(requestId.indexOf('_') + 1)}`, queued);
    recording.endAsBackground();
    this.#running.delete(recording.requestId);
  }

  #writeRecorded(
    recording: Recording,
    {
      exchange,
      body,
      leave,
    }: { exchange: Exchange; body: WrittenBody; leave: (isDelivered: boolean) => void },
  ): WrittenBody {
    const slowMs = exchange.snapshot.config.limits.slow_reader_s * 1_000;
    return async (client) => {
      const writer = new RecordingWriter(client, recording, { slowMs, left: () => leave(false) });
      try {
        await body(writer);
      } finally {
        await this.#end(recording);
        leave(!writer.hasLeft && !exchange.request.signal.aborted && !recording.hasFailed);
      }
      if (writer.hasLeft) throw new ReaderGone();
    };
  }

  async #end(recording: Recording, refusal?: Refusal): Promise<void> {
    await recording.end(refusal);
    if (!this.#running.delete(recording.requestId)) return;
    this.#bytes[recording.parts.isResumable ? 'stream' : 'replay'] -= recording.byteLength;
  }

  /** Adds the first client as a reader. Retries of SDKs can join once it has left. */
  #readerOf(recording: Recording, { isJoinable }: RecordingOrder): (isDelivered: boolean) => void {
    const leave = recording.join();
    let isHere = true;
    return (isDelivered) => {
      leave();
      if (!isHere || !isJoinable) return;
      isHere = false;
      this.#joined.onReaderLeft(recording.requestId, isDelivered);
    };
  }

  async #renew(): Promise<void> {
    const { store, clock, onFailure } = this.#parts;
    for (const id of this.#invalid) {
      const isRemoved = await store.remove(id).then(
        () => true,
        () => false,
      );
      if (!isRemoved) break;
      this.#invalid.delete(id);
    }
    if (this.#running.size === 0 && this.#joined.count === 0) return;
    const now = clock.now();
    await store.renew(this.holder, { heldUntil: now + HELD_MS, readUntil: now + READ_MS }).catch(onFailure);
  }
}

const hasIds = ({ route }: Exchange, { isResumable }: RecordingOrder): boolean =>
  isResumable && !generatingEndpoints[route]?.withoutIds;
