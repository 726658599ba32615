import type { SocketFigures } from './kernel-sockets.ts';

/** A reader that takes less than this within `limits.stalled_write_s` counts as stopped. */
export const MIN_PROGRESS_BYTES = 4 * 1024;

/** The reasons why the gateway closes a connection. */
export type Fault = 'head-late' | 'stalled' | 'idle';

export type ConnectionTimes = { idleMs: number; headMs: number; stalledMs: number };

/** A client's connection, with its state at each round. */
export class ClientConnection {
  readonly descriptor: number;
  readonly port: number;
  readonly address: string;
  /** Undefined if many clients share the address, so that it is not counted. */
  readonly network: string | undefined;
  figures: SocketFigures;
  /** The bytes received when the last answer was sent. Later bytes belong to a request that has not begun. */
  #answeredBytes: number;
  /** The time of the first byte of a request whose head is not complete. */
  #headSince: number | undefined;
  /** The time since which the client has taken too little of the data that waits for it. */
  #stalledSince: number | undefined;
  /** The bytes that the client had taken at that time. */
  #takenWhenStalled = 0;
  /** The time since which nothing was sent, received or taken. */
  #quietSince: number;

  constructor(
    place: { descriptor: number; port: number; address: string; network: string | undefined },
    figures: SocketFigures,
    now: number,
  ) {
    this.descriptor = place.descriptor;
    this.port = place.port;
    this.address = place.address;
    this.network = place.network;
    this.figures = figures;
    this.#answeredBytes = figures.sent > 0 ? figures.received : 0;
    this.#quietSince = now;
    this.look(figures, now);
  }

  /** Compares the figures of a round with the figures of the previous round. */
  look(figures: SocketFigures, now: number): void {
    const before = this.figures;
    this.figures = figures;
    const hasAnswered = figures.sent !== before.sent;
    if (hasAnswered) this.#beginAnew();
    else if (figures.received !== this.#answeredBytes) this.#headSince ??= now;
    if (hasAnswered || figures.received !== before.received || figures.taken !== before.taken)
      this.#quietSince = now;
    if (!figures.isSending) this.#stalledSince = undefined;
    else if (
      this.#stalledSince === undefined ||
      figures.taken - this.#takenWhenStalled >= MIN_PROGRESS_BYTES
    ) {
      this.#stalledSince = now;
      this.#takenWhenStalled = figures.taken;
    }
  }

  /**
   * Returns the reason to close the connection, if there is one. While a request is in flight, `excuse`
   * resets all reasons.
   */
  fault({ idleMs, headMs, stalledMs }: ConnectionTimes, now: number): Fault | undefined {
    if (isOver(this.#stalledSince, stalledMs, now)) return 'stalled';
    if (isOver(this.#headSince, headMs, now)) return 'head-late';
    return !this.figures.isSending && isOver(this.#quietSince, idleMs, now) ? 'idle' : undefined;
  }

  /** Marks a request in flight. The bytes received so far belong to it. */
  excuse(now: number): void {
    this.#beginAnew();
    this.#stalledSince = undefined;
    this.#quietSince = now;
  }

  #beginAnew(): void {
    this.#answeredBytes = this.figures.received;
    this.#headSince = undefined;
  }
}

const isOver = (since: number | undefined, limitMs: number, now: number): boolean =>
  since !== undefined && now - since > limitMs;
