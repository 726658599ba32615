import { ReaderGone } from '../../edge/http/reader-gone.ts';
import type { BodyPiece, BodyWriter } from '../../edge/http/reply.ts';
import { ReaderPace } from '../stream/reader-pace.ts';
import type { Recording } from './recording.ts';

/** Writes a stream to its first client and to the log. The stream continues when the client has left. */
export class RecordingWriter implements BodyWriter {
  readonly #client: BodyWriter;
  readonly #recording: Recording;
  readonly #pace: ReaderPace;
  readonly #onLeft: () => void;
  readonly #decoder = new TextDecoder();
  hasLeft = false;

  constructor(
    client: BodyWriter,
    recording: Recording,
    { slowMs, onLeft }: { slowMs: number; onLeft: () => void },
  ) {
    this.#client = client;
    this.#recording = recording;
    this.#pace = new ReaderPace(slowMs);
    this.#onLeft = onLeft;
  }

  write(piece: BodyPiece): Promise<void> | undefined {
    const text = typeof piece === 'string' ? piece : this.#decoder.decode(piece, { stream: true });
    const sent = this.#recording.take(text);
    if (this.hasLeft || sent === '') return undefined;
    try {
      const taken = this.#client.write(sent);
      return taken && this.#pace.until(taken).catch((error: unknown) => this.#leave(error));
    } catch (error) {
      return this.#leave(error);
    }
  }

  #leave(error: unknown): undefined {
    if (!(error instanceof ReaderGone)) throw error;
    this.hasLeft = true;
    this.#onLeft();
  }
}
