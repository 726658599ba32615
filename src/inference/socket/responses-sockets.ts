import { Refusal } from '../../base/errors/refusal.ts';
import { isAllowedOrigin } from '../../edge/http/cors.ts';
import { SWITCHED } from '../../edge/http/edge.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { noSocket } from '../../edge/http/no-socket.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { stopping } from '../../edge/http/under-way.ts';
import { ResponsesSocket } from './responses-socket.ts';
import { SocketMemories } from './socket-memory.ts';
import type { SocketTurnsParts } from './socket-turns.ts';

const ALLOW_HEADER = { allow: 'POST, OPTIONS' };

/** The WebSockets of all clients. */
export class ResponsesSockets {
  readonly #parts: SocketTurnsParts;
  readonly #memories: SocketMemories;
  readonly #open = new Set<ResponsesSocket>();
  #isDraining = false;

  constructor(parts: SocketTurnsParts) {
    this.#parts = parts;
    this.#memories = new SocketMemories(parts.gate.budget);
  }

  get count(): number {
    return this.#open.size;
  }

  /**
   * Answers `GET /v1/responses`: with a WebSocket if the request asks for one, and with 426 if there is none.
   */
  async open(exchange: Exchange): Promise<Reply | Refusal> {
    const { headers } = exchange.request;
    const asks = headers.get('upgrade')?.toLowerCase() === 'websocket';
    if (!asks && !headers.has('sec-websocket-key'))
      return new Refusal('method_not_allowed', {
        message: 'This address does not accept GET, except for a WebSocket. It accepts POST.',
        headers: ALLOW_HEADER,
      });
    if (!asks || !exchange.snapshot.config.server.responses_websocket || !exchange.upgrade)
      return noSocket(ALLOW_HEADER);
    if (!isAllowedOrigin(headers.get('origin'), exchange.snapshot.config.server.cors.origins))
      return foreignOrigin();
    const principal = await this.#parts.services.authenticator.authenticateRead(exchange, 'bearer');
    if (principal instanceof Refusal) return principal;
    if (this.#isDraining) return stopping(); // the key may have been looked up meanwhile
    const socket = new ResponsesSocket(exchange, {
      ...this.#parts,
      memories: this.#memories,
      closed: (closed) => this.#open.delete(closed),
    });
    this.#open.add(socket);
    if (exchange.upgrade(socket)) return { status: SWITCHED, body: null };
    socket.closed();
    return noSocket(ALLOW_HEADER);
  }

  /** Has all clients connect elsewhere, each after its turns. */
  drain(): void {
    this.#isDraining = true;
    for (const socket of [...this.#open]) socket.drain();
  }
}

const foreignOrigin = (): Refusal =>
  new Refusal('permission_denied', { message: 'Pages of this origin may not open a WebSocket here.' });
