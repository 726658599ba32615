import { Refusal } from '../../base/errors/refusal.ts';
import { refusalOfError } from '../../base/errors/refusal-of-error.ts';
import { msOf } from '../../base/lib/units.ts';
import { asWritten } from '../../edge/http/as-written.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { ReaderGone } from '../../edge/http/reader-gone.ts';
import type { Reply, WrittenBody } from '../../edge/http/reply.ts';
import type { Recording } from './recording.ts';
import { RecordingWriter } from './recording-writer.ts';
import type { RunningRecordings } from './running-recordings.ts';

export type MadeReply = Promise<Reply | Refusal>;

/** `delivered`: the reader has got the whole answer. `left`: the reader has left before. */
export type ReaderEnd = 'delivered' | 'left';

type RecordedReplyParts = {
  exchange: Exchange;
  running: RunningRecordings;
  /** The reply calls it once the first client has left. */
  onLeft(end: ReaderEnd): void;
};

/** Makes the answer of a request, sends it to the first client, and keeps it when it is whole. */
export class RecordedReply {
  readonly #recording: Recording;
  readonly #parts: RecordedReplyParts;
  readonly #removeReader: () => void;
  #isLeft = false;

  constructor(recording: Recording, parts: RecordedReplyParts) {
    this.#recording = recording;
    this.#parts = parts;
    this.#removeReader = recording.join();
  }

  async make(make: () => MadeReply): MadeReply {
    const recording = this.#recording;
    const { exchange } = this.#parts;
    const { signal } = exchange.request;
    const onGone = () => this.#leave('left');
    if (signal.aborted) onGone();
    else signal.addEventListener('abort', onGone);
    exchange.patience = recording.patience;
    exchange.recording = recording;
    try {
      const reply = await make();
      return reply instanceof Refusal ? await this.#refuse(reply) : await this.#keep(reply);
    } catch (error) {
      await this.#refuse(refusalOfError(error));
      throw error;
    }
  }

  async #keep(reply: Reply): Promise<Reply> {
    const recording = this.#recording;
    const { exchange, running } = this.#parts;
    if (exchange.handedOverTo !== undefined) await this.#handOver(exchange.handedOverTo, reply);
    else {
      recording.begin({ status: reply.status, type: reply.headers?.['content-type'] ?? '' });
      const body = asWritten(reply.body);
      if (body && recording.body === undefined) return { ...reply, body: this.#writeRecorded(body) };
      await running.end(recording);
    }
    this.#leave(exchange.request.signal.aborted ? 'left' : 'delivered');
    return reply;
  }

  async #refuse(refusal: Refusal): Promise<Refusal> {
    this.#recording.giveUp();
    await this.#parts.running.end(this.#recording, refusal);
    this.#leave('delivered');
    return refusal;
  }

  /** A response in the background continues by itself, and has a log of its own. */
  async #handOver(backgroundId: string, reply: Reply): Promise<void> {
    const recording = this.#recording;
    const queued = typeof reply.body === 'string' ? reply.body : '';
    await recording.keepBackground(backgroundId, queued);
    recording.endAsBackground();
    this.#parts.running.byRequest.delete(recording.requestId);
  }

  #writeRecorded(body: WrittenBody): WrittenBody {
    const recording = this.#recording;
    const { exchange, running } = this.#parts;
    const slowMs = msOf(exchange.snapshot.config.limits.slow_reader_s);
    return async (client) => {
      const writer = new RecordingWriter(client, recording, { slowMs, onLeft: () => this.#leave('left') });
      try {
        await body(writer);
      } finally {
        await running.end(recording);
        const isCut = writer.hasLeft || exchange.request.signal.aborted || recording.hasFailed;
        this.#leave(isCut ? 'left' : 'delivered');
      }
      if (writer.hasLeft) throw new ReaderGone();
    };
  }

  /** Removes the first client as a reader. Later calls have no effect. */
  #leave(end: ReaderEnd): void {
    this.#removeReader();
    if (this.#isLeft) return;
    this.#isLeft = true;
    this.#parts.onLeft(end);
  }
}
