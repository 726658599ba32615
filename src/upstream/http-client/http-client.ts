import { YieldQueue } from '../../base/lib/yield-queue.ts';
import { ConnectionPool } from './connection-pool.ts';
import { DueWatch } from './due-watch.ts';
import { fetchThroughProxy } from './fetch-through-proxy.ts';
import { CallEnded, type HttpAnswer, type HttpRequest } from './http-answer.ts';
import { type CallParts, HttpCall } from './http-call.ts';
import { type AddressLookup, lookUpAddresses } from './look-up-addresses.ts';
import { openSocket } from './open-socket.ts';
import { Outbox } from './outbox.ts';
import type { Proxies } from './proxies.ts';
import { UpstreamConnection } from './upstream-connection.ts';

export type HttpClientParts = { proxies: Proxies; addressesOf?: AddressLookup; yieldQueue?: YieldQueue };

/** Sends POST requests over HTTP/1.1 with the gateway's own sockets, which are kept between requests. */
export class HttpClient {
  readonly #pool = new ConnectionPool();
  readonly #surroundings = { idle: this.#pool, outbox: new Outbox() };
  readonly #proxies: Proxies;
  readonly #addressesOf: AddressLookup;
  readonly #parts: CallParts;

  constructor({ proxies, addressesOf = lookUpAddresses, yieldQueue = new YieldQueue() }: HttpClientParts) {
    this.#proxies = proxies;
    this.#addressesOf = addressesOf;
    this.#parts = { connect: this.#connect, dues: new DueWatch(), yieldQueue };
  }

  /** Sends a request, and returns when the head of the answer has arrived. */
  send(request: HttpRequest): Promise<HttpAnswer> {
    const { head, client, calledOff } = request;
    const { origin } = head;
    if (client.aborted || calledOff?.aborted) return Promise.reject(new CallEnded('the client has left'));
    if (this.#proxies[origin.isTls ? 'https' : 'http']) return fetchThroughProxy(request, this.#parts.dues);
    const call = new HttpCall(request, this.#parts);
    const connection = this.#pool.take(origin.key);
    if (connection) call.sendOver(connection);
    else call.connect();
    return call.begun;
  }

  get idleConnections(): number {
    return this.#pool.size;
  }

  /** Closes all idle connections, when descriptors or memory are short. */
  dropKept(): void {
    this.#pool.close();
  }

  close(): void {
    this.#pool.close();
    this.#parts.dues.close();
  }

  readonly #connect = (call: HttpCall): (() => void) => {
    const { head, timeouts } = call.request;
    const connection = new UpstreamConnection(head.origin.key, this.#surroundings);
    const { socket, cancel } = openSocket(connection, {
      origin: head.origin,
      connectMs: timeouts.connectMs,
      addressesOf: this.#addressesOf,
    });
    socket.then(
      (openedSocket) => {
        connection.opened(openedSocket);
        call.sendOver(connection);
      },
      (error: Error) => call.fail(error),
    );
    return cancel;
  };
}
