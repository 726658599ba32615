import type { ConnectionTarget } from './connection/connection-target.ts';
import { openConnection } from './connection/open-connection.ts';
import type { PostgresConnection } from './connection/postgres-connection.ts';

export type NoticeOptions = {
  /** The address of the server itself, since a pool in transaction mode passes no notices on. */
  target: ConnectionTarget;
  channel: string;
  onNotice(payload: string): void;
  /** Called when notices begin to arrive. Earlier ones may be lost. */
  onListening?(): void;
  /** Called when a connection has failed, before another one is tried. */
  onFailure?(error: unknown): void;
};

const CONNECT_TIMEOUT_MS = 2_000;
const RETRY_MS = 500;
/** A silent network is noticed within this time and the connection's timeout. */
const CHECK_MS = 3_000;

/** A connection of its own that receives the notices of one channel. It is made again whenever it fails. */
export class NoticeListener {
  readonly #target: ConnectionTarget;
  readonly #options: NoticeOptions;
  #wake = () => {};
  #connection: PostgresConnection | undefined;
  #isStopped = false;

  constructor(options: NoticeOptions) {
    this.#options = options;
    this.#target = options.target;
    void this.#run();
  }

  /** True while notices arrive. */
  get isListening(): boolean {
    return this.#connection !== undefined;
  }

  stop(): void {
    this.#isStopped = true;
    this.#connection?.end();
    this.#wake();
    this.#connection = undefined;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#listen();
      } catch (error) {
        if (!this.#isStopped) this.#options.onFailure?.(error);
      }
      this.#connection = undefined;
      await this.#pause(RETRY_MS);
    }
  }

  /** Ends when the connection fails. */
  async #listen(): Promise<void> {
    const connection = await openConnection(this.#target, { timeoutMs: CONNECT_TIMEOUT_MS });
    try {
      await this.#listenOn(connection);
    } finally {
      connection.end();
    }
  }

  async #listenOn(connection: PostgresConnection): Promise<void> {
    const { channel, onNotice, onListening } = this.#options;
    connection.onNotification = (_channel, payload) => onNotice(payload);
    await this.#ask(connection, `LISTEN "${channel.replaceAll('"', '""')}"`);
    if (this.#isStopped) return;
    this.#connection = connection;
    let failure: unknown;
    onListening?.();
    connection.onClosed = (error) => {
      failure = error;
      this.#wake();
    };
    while (connection.isOpen) {
      await this.#pause(CHECK_MS);
      if (connection.isOpen) await this.#ask(connection, '');
    }
    throw failure;
  }

  async #ask(connection: PostgresConnection, text: string): Promise<void> {
    const timer = setTimeout(
      () => connection.destroy(new Error('the server did not answer the connection that listens')),
      CONNECT_TIMEOUT_MS,
    );
    await connection.simple(text).finally(() => clearTimeout(timer));
  }

  /** Ends early when the connection closes, or at the stop. */
  #pause(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    this.#wake = resolve;
    return promise.finally(() => clearTimeout(timer));
  }
}
