import { Refusal } from '../../base/errors/refusal.ts';
import { msOf } from '../../base/lib/units.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Reply, WrittenBody } from '../../edge/http/reply.ts';
import { streamHeaders } from '../reply/stream-headers.ts';
import { keepAliveOf } from '../stream/keep-alive-comments.ts';
import { type FollowedLog, followLog } from './follow-log.ts';
import { frameIdPrefix } from './frame-numberer.ts';
import { isAbandoned, lookHere, lookThere } from './look-at-log.ts';
import type { Recording } from './recording.ts';
import type { RecordingParts } from './recording-parts.ts';
import type { RecordedAnswer } from './recording-store.ts';

const HEADER = 'Last-Event-ID';
/** A frame may reach the log this long after the client. */
const LATE_MS = 1_000;
const LOOK_EVERY_MS = 50;

export type RecordedStreamsParts = Pick<RecordingParts, 'store' | 'ledger' | 'clock'> & {
  /** Names this process as the holder of what it makes. */
  holder: string;
  running(requestId: string): Recording | undefined;
};

/** Names the stream of a request, which only its own key can read. */
export type WantedStream = { requestId: string; keyId: string };

/** The streams of requests, which their key can read again. */
export class RecordedStreams {
  readonly #parts: RecordedStreamsParts;

  constructor(parts: RecordedStreamsParts) {
    this.#parts = parts;
  }

  /** Streams the frames after `Last-Event-ID`, including frames that do not exist yet. */
  async read(exchange: Exchange, wanted: WantedStream): Promise<Reply | Refusal> {
    const row = await this.#find(exchange, wanted);
    if (!row) return streamNotFound();
    const after = await this.#readPlace(exchange, row);
    return after instanceof Refusal ? after : this.#replyAfter(exchange, row, after);
  }

  /**
   * Streams the frames after a number of them. Returns undefined if there is no such stream, or if it has
   * fewer frames.
   */
  async readAfter(
    exchange: Exchange,
    { frames, ...wanted }: WantedStream & { frames: number },
  ): Promise<Reply | undefined> {
    const row = await this.#find(exchange, wanted);
    if (!row || !(await this.#hasFrame(wanted.requestId, frames))) return undefined;
    return this.#replyAfter(exchange, row, frames);
  }

  async #replyAfter(exchange: Exchange, row: RecordedAnswer, after: number): Promise<Reply> {
    const { requestId, path, hasIds } = row;
    const recording = this.#parts.running(requestId);
    const log: FollowedLog = {
      requestId,
      path,
      hasIds,
      store: this.#parts.store,
      look: recording ? lookHere(recording) : lookThere(requestId, this.#parts),
      keepAlive: keepAliveOf(hasIds ? 'openai' : 'google'),
      keepAliveMs: msOf(exchange.snapshot.config.limits.keep_alive_s),
    };
    if (after > 0 && (await this.#hasEndedAt(log, requestId, after)))
      return { status: 204, body: null, headers: {} };
    return {
      status: 200,
      headers: streamHeaders,
      body: recording
        ? joined(recording, followLog(log, after), exchange.request.signal)
        : followLog(log, after),
    };
  }

  async #find(
    { snapshot }: Exchange,
    { requestId, keyId }: WantedStream,
  ): Promise<RecordedAnswer | undefined> {
    const row = await this.#parts.store.find(requestId);
    if (!row?.isResumable || row.keyId !== keyId) return undefined;
    const now = this.#parts.clock.now();
    if (row.state !== 'running') return row.streamsUntil > now ? row : undefined;
    return row.heldUntil + msOf(snapshot.config.retention.streams_s) > now ? row : undefined;
  }

  /** Returns the number of the last frame that the client has. */
  async #readPlace(exchange: Exchange, { requestId, hasIds }: RecordedAnswer): Promise<number | Refusal> {
    const sent = exchange.request.headers.get(HEADER);
    if (sent === null) return 0;
    const prefix = hasIds ? frameIdPrefix(requestId) : '';
    const number = sent.startsWith(prefix) ? sent.slice(prefix.length) : '';
    if (!/^\d{1,9}$/.test(number) || (hasIds && Number(number) === 0)) return notOfThisStream();
    return (await this.#hasFrame(requestId, Number(number))) ? Number(number) : notOfThisStream();
  }

  async #hasFrame(requestId: string, frame: number): Promise<boolean> {
    const until = performance.now() + LATE_MS;
    for (;;) {
      const recording = this.#parts.running(requestId);
      const row = recording ? undefined : await this.#parts.store.find(requestId);
      const count = recording?.frames.count ?? row?.frames ?? 0;
      if (frame <= count) return true;
      // The last frame is the error after the frames of a broken stream.
      if (row && frame === count + 1 && isBroken(row, this.#parts)) return true;
      if (performance.now() >= until || (row && row.state !== 'running')) return false;
      await Bun.sleep(LOOK_EVERY_MS);
    }
  }

  async #hasEndedAt({ look }: FollowedLog, requestId: string, frame: number): Promise<boolean> {
    const { state } = await look();
    if (state === 'open') return false;
    const frames = (await this.#parts.store.find(requestId))?.frames ?? 0;
    return frame === (state === 'lost' ? frames + 1 : frames);
  }
}

const isBroken = (row: RecordedAnswer, own: RecordedStreamsParts): boolean =>
  row.state === 'running' && isAbandoned(row, own);

/** While somebody reads, the client counts as there. */
const joined =
  (recording: Recording, body: WrittenBody, client: AbortSignal): WrittenBody =>
  async (writer) => {
    const leave = recording.join();
    client.addEventListener('abort', leave); // a silent stream would notice it with its next frame only
    try {
      await body(writer);
    } finally {
      leave();
    }
  };

const notOfThisStream = (): Refusal =>
  new Refusal('invalid_request', {
    param: HEADER,
    message: `${HEADER} must be the id of a frame of this stream.`,
  });

const streamNotFound = (): Refusal =>
  new Refusal('not_found', { message: 'This stream does not exist, or it cannot be read again.' });
