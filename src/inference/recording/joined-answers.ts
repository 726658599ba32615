import { Refusal } from '../../base/errors/refusal.ts';
import { msOf } from '../../base/lib/units.ts';
import type { Reply, WrittenBody } from '../../edge/http/reply.ts';
import { noteModel } from '../admission/note-model.ts';
import { followFrames } from '../background/follow-frames.ts';
import { streamHeaders } from '../reply/stream-headers.ts';
import type { ArrivedRequest } from '../request/arrived-request.ts';
import { keepAliveOf } from '../stream/keep-alive-comments.ts';
import { type FoundRecording, findRecording } from './find-recording.ts';
import { followLog } from './follow-log.ts';
import { isAbandoned, isCharged, lookHere, lookThere } from './look-at-log.ts';
import type { ReaderEnd } from './recorded-reply.ts';
import type { Recording } from './recording.ts';
import type { RecordingParts } from './recording-parts.ts';
import type { KeyedRequest, RecordedAnswer } from './recording-store.ts';

const READ_MS = 3_000;

/** The earlier answer is not there, so the request is made anew. */
export const MADE_ANEW = Symbol('made anew');
type JoinOutcome = Reply | Refusal | typeof MADE_ANEW;

/** A request that gets an earlier answer. `recording` is set if this process makes the answer. */
type JoinedReading = {
  arrived: ArrivedRequest;
  found: FoundRecording;
  recording: Recording | undefined;
  /** Ends the reading. Later calls have no effect. */
  leaving: (end: ReaderEnd) => void;
};

export type JoinedAnswersParts = RecordingParts & {
  /** Names this process as the holder and the reader of answers. */
  holder: string;
  running: ReadonlyMap<string, Recording>;
  /** The ids of answers in the store that are not valid. */
  invalid: ReadonlySet<string>;
};

/**
 * Gives retries the answers of earlier requests, which run or have ended, in this process or in another one.
 */
export class JoinedAnswers {
  readonly #parts: JoinedAnswersParts;
  /** The number of clients that read now. */
  count = 0;

  constructor(parts: JoinedAnswersParts) {
    this.#parts = parts;
  }

  /**
   * Finds an equal request whose client has left before the answer was whole, and makes this process its
   * reader.
   */
  claim(request: KeyedRequest): Promise<RecordedAnswer | undefined> {
    const { store, clock, holder: reader } = this.#parts;
    const now = clock.now();
    return store.claimUnread(request, { reader, readUntil: now + READ_MS, now });
  }

  /** Notes that the reader has left, or has got the whole answer. */
  onReaderLeft(requestId: string, end: ReaderEnd): void {
    const { store, holder: reader, onFailure } = this.#parts;
    store.leave({ requestId, reader, isDelivered: end === 'delivered' }).catch(onFailure);
  }

  /** Reports whether an answer is no longer valid, so that its idempotency key is free. */
  async isOver(row: RecordedAnswer): Promise<boolean> {
    const { running, invalid, clock } = this.#parts;
    const recording = running.get(row.requestId);
    if (recording) return recording.isUseless;
    const now = clock.now();
    if (row.state === 'failed' || invalid.has(row.requestId)) return true;
    if (row.state === 'made' && (await isCharged(row, this.#parts))) return row.replaysUntil <= now;
    return isAbandoned(row, this.#parts);
  }

  /** Answers a request with an earlier answer. The request is counted as a read. */
  async join(row: RecordedAnswer, arrived: ArrivedRequest): Promise<JoinOutcome> {
    const { exchange, principal } = arrived;
    const { signal } = exchange.request;
    const recording = this.#parts.running.get(row.requestId);
    const leaving = this.#reader(row, recording);
    signal.addEventListener('abort', () => leaving('left'));
    try {
      const isOver = recording ? recording.isUseless : await this.isOver(row);
      const refused = isOver ? MADE_ANEW : await this.#parts.countRead(exchange, principal);
      if (refused) {
        leaving('left');
        return refused;
      }
      const found = await beforeAbort(findRecording(row, recording, this.#parts), signal);
      if (found === undefined) {
        leaving('left');
        return MADE_ANEW;
      }
      this.#mark(row, arrived);
      if (found instanceof Refusal) {
        leaving('delivered');
        return found;
      }
      return this.#reply(row, { found, recording, arrived, leaving });
    } catch (error) {
      leaving('left');
      throw error;
    }
  }

  /** Counts a reader of the answer. Returns a function that ends its reading. */
  #reader(row: RecordedAnswer, recording: Recording | undefined): (end: ReaderEnd) => void {
    const leave = recording?.join();
    recording?.log.follow();
    this.count++;
    let isHere = true;
    return (end) => {
      if (!isHere) return;
      isHere = false;
      this.count--;
      leave?.();
      if (row.isJoinable) this.onReaderLeft(row.requestId, end);
    };
  }

  /** Shows the client and the log that the answer is that of an earlier request. */
  #mark({ requestId }: RecordedAnswer, { exchange, body }: ArrivedRequest): void {
    const { headers, notes, snapshot } = exchange;
    headers['idempotency-replayed'] = 'true';
    headers[snapshot.names.header.replayOf] = requestId;
    notes.replayOf = requestId;
    notes.stream = body.value['stream'] === true;
    noteModel(exchange, body.value['model']);
  }

  #reply(row: RecordedAnswer, { found, recording, arrived, leaving }: JoinedReading): Reply {
    const { exchange, body } = arrived;
    const { head } = found;
    const { store, background, clock, open } = this.#parts;
    if ('body' in found) {
      if (found.backgroundId !== null && body.value['stream'] === true) {
        leaving('delivered');
        const followed = { id: found.backgroundId, keyId: row.keyId };
        return followFrames(background, followed, { after: -1, clock, style: exchange.style, open });
      }
      leaving(exchange.request.signal.aborted ? 'left' : 'delivered');
      return { status: head.status, headers: { 'content-type': head.type }, body: found.body };
    }
    const log = {
      requestId: row.requestId,
      path: row.path,
      hasIds: row.hasIds,
      store,
      look: recording ? lookHere(recording) : lookThere(row.requestId, this.#parts),
      keepAlive: keepAliveOf(exchange.style),
      keepAliveMs: msOf(exchange.snapshot.config.limits.keep_alive_s),
    };
    return { status: head.status, headers: streamHeaders, body: untilEnd(followLog(log, 0), leaving) };
  }
}

const untilEnd =
  (body: WrittenBody, leaving: (end: ReaderEnd) => void): WrittenBody =>
  async (writer) => {
    try {
      await body(writer);
      leaving('delivered');
    } finally {
      leaving('left');
    }
  };

/** Resolves to the result, or to a refusal that nobody sees if the client leaves first. */
function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T | Refusal> {
  return new Promise((resolve, reject) => {
    const leave = () => resolve(new Refusal('capacity_unavailable'));
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave);
    // The failure of work that nobody waits for is handled too.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
