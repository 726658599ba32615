import { errorEnvelope } from '../../base/errors/envelope.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import type { SocketConnection } from '../../edge/http/socket-handler.ts';
import { withLane } from './with-lane.ts';

/** The client at the other end of a WebSocket. Before it is open, and once it has closed, nothing is sent. */
export class SocketClient {
  #connection: SocketConnection | undefined;

  get isOpen(): boolean {
    return this.#connection !== undefined;
  }

  opened(connection: SocketConnection): void {
    this.#connection = connection;
  }

  closed(): void {
    this.#connection = undefined;
  }

  /** Sends a text. Returns a promise to wait for if the client is too slow. */
  send(text: string): Promise<void> | undefined {
    return this.#connection?.send(text);
  }

  /** Sends an event of a lane, or of the socket itself. Returns like `send()`. */
  emit(event: object, lane?: string): Promise<void> | undefined {
    return this.isOpen ? this.send(withLane(JSON.stringify(event), lane)) : undefined;
  }

  refuse(refusal: Refusal, lane?: string): Promise<void> | undefined {
    return this.emit({ type: 'error', status: refusal.status, ...errorEnvelope('openai', refusal) }, lane);
  }

  close(code: number, reason: string): void {
    this.#connection?.close(code, reason);
  }
}
