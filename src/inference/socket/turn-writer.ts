import { ReaderGone } from '../../edge/http/reader-gone.ts';
import type { BodyPiece, BodyWriter } from '../../edge/http/reply.ts';
import { backgroundResponsesForm } from '../../translation/protocols/responses/background-responses-form.ts';
import { FrameLog } from '../background/frame-log.ts';
import { withLane } from './with-lane.ts';

type TurnWriterParts = {
  send: (text: string) => Promise<void> | undefined;
  lane: string | undefined;
  /** Reports whether the connection is still open. */
  isOpen: () => boolean;
};

/** Sends the events of one turn as messages, and follows the state of its response. */
export class TurnWriter implements BodyWriter {
  readonly log = new FrameLog(backgroundResponsesForm);
  readonly #send: (text: string) => Promise<void> | undefined;
  readonly #lane: string | undefined;
  readonly #isOpen: () => boolean;

  constructor({ send, lane, isOpen }: TurnWriterParts) {
    this.#send = send;
    this.#lane = lane;
    this.#isOpen = isOpen;
  }

  write(piece: BodyPiece): Promise<void> | undefined {
    if (!this.#isOpen()) throw new ReaderGone();
    this.log.write(piece);
    let waiting: Promise<void> | undefined;
    for (const data of this.log.takeData()) waiting = this.#send(withLane(data, this.#lane)) ?? waiting;
    return waiting;
  }
}
