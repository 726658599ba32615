import type { Host } from '../kernel/host.ts';
import type { Simulation } from '../kernel/simulation.ts';
import { PushedStream, type Sink } from './pushed-stream.ts';
import { SentResponse } from './sent-response.ts';
import { type SimulatedServer, servers } from './serve.ts';

/** A call of a client. */
export type CallOptions = {
  method: string;
  path: string;
  /** The name of the call in the trace. */
  name?: string;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** The address of the client. */
  from?: string;
  /** The time after which the client leaves. */
  leavesAfterMs?: number | undefined;
  /** The time that the client takes for each piece. */
  readsForMs?: number | undefined;
};

/** The way in which a call has ended. */
export type Ending = 'whole' | 'refused connection' | 'cut' | 'left';

/** The course of a call. Times are in milliseconds of the simulation. */
export type CallRecord = {
  readonly asking: CallOptions;
  readonly startedAt: number;
  status: number | undefined;
  headers: Headers | undefined;
  /** The time at which the gateway answered. */
  answeredAt: number | undefined;
  /** The text that the gateway has given to the connection. The client may not have received all of it. */
  handed: string;
  /** The time at which the first bytes of the body were given to the connection. */
  handedAt: number | undefined;
  /** The time at which the gateway had given the whole answer to the connection. */
  handedWholeAt: number | undefined;
  /** The text that the client has received. */
  received: string;
  ending: Ending | undefined;
  endedAt: number | undefined;
  /** The process that took the request. */
  host: Host | undefined;
};

export const PORT = 8080;

/** A request of a simulated client, from the connection to the last byte. */
export class Call {
  readonly record: CallRecord;
  readonly done: Promise<CallRecord>;
  readonly #simulation: Simulation;
  readonly #resolve: (record: CallRecord) => void;
  readonly #abort = new AbortController();
  readonly #noticed: ((record: CallRecord, isWhole: boolean) => void) | undefined;
  /** The time at which the latest piece arrives. */
  #arrivesAt = 0;
  #server: SimulatedServer | undefined;

  constructor(
    simulation: Simulation,
    asking: CallOptions,
    port: number,
    handed?: (record: CallRecord, isWhole: boolean) => void,
  ) {
    const { promise, resolve } = Promise.withResolvers<CallRecord>();
    this.#simulation = simulation;
    this.#noticed = handed;
    this.done = promise;
    this.#resolve = resolve;
    this.record = {
      asking,
      startedAt: simulation.now,
      status: undefined,
      headers: undefined,
      answeredAt: undefined,
      handed: '',
      handedAt: undefined,
      handedWholeAt: undefined,
      received: '',
      ending: undefined,
      endedAt: undefined,
      host: undefined,
    };
    const arrive = () => this.#arrive(servers.find(simulation, port));
    this.#outside(this.#latency(), `${asking.method} ${asking.path} ${asking.name ?? ''}`, arrive);
    if (asking.leavesAfterMs !== undefined)
      this.#outside(asking.leavesAfterMs, 'client leaves', () => this.leave());
  }

  leave(): void {
    if (this.record.ending) return;
    this.#end('left');
    const server = this.#server;
    if (server?.isListening || server?.host.isAlive)
      this.#simulation.after(this.#latency(), 'client left', () => this.#abort.abort(), server.host);
  }

  #arrive(server: SimulatedServer | undefined): void {
    if (this.record.ending) return;
    if (!server?.isListening) {
      this.#end('refused connection');
      return;
    }
    this.#server = server;
    this.record.host = server.host;
    const dies = () => this.#cut();
    server.host.crashListeners.add(dies);
    void this.done.then(() => server.host.crashListeners.delete(dies));
    this.#simulation.after(0, 'request', () => this.#answer(server), server.host);
  }

  #answer(server: SimulatedServer): void {
    // A server that stops closes the connections whose request it has not read.
    if (!server.isOpen) {
      this.#cut();
      return;
    }
    const { asking } = this.record;
    const text = asking.body === undefined ? undefined : JSON.stringify(asking.body);
    const request = new Request(`http://127.0.0.1:${server.port}${asking.path}`, {
      method: asking.method,
      headers: {
        host: `127.0.0.1:${server.port}`,
        ...asking.headers,
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(text)),
        }),
      },
      signal: this.#abort.signal,
      ...(text !== undefined && { body: text }),
    });
    const peer = { address: asking.from ?? '127.0.0.1', port: 40_000, family: 'IPv4' as const };
    const answered = async () => this.#send(server, await server.answer(request, peer));
    answered().catch((error: Error) => this.#simulation.fail(`the handler threw ${error.stack ?? error}`));
  }

  /** The gateway answers: from here on bytes are in the kernel of its machine. */
  #send(server: SimulatedServer, response: Response): void {
    if (!server.host.isAlive) return;
    const { record } = this;
    record.status = response.status;
    record.headers = response.headers;
    record.answeredAt = this.#simulation.now;
    const head = `head ${response.status} ${response.headers.get('x-request-id') ?? response.headers.get('request-id')}`;
    this.#simulation.note(
      `${head}${response.status < 400 ? '' : ` ${textOf((response as SentResponse).sent as string).slice(0, 300)}`}`,
    );
    this.#deliver(head, () => {});
    const body = response instanceof SentResponse ? response.sent : null;
    if (body instanceof PushedStream && body.pushed) {
      const sink = this.#sink(server);
      body.pushed.pull(sink).catch((error: Error) => {
        if (!this.#abort.signal.aborted) this.#simulation.note(`the body threw ${error}`);
        this.#cut();
      });
      return;
    }
    if (body instanceof ReadableStream) throw new Error('the simulation reads no pulled bodies');
    this.#hand(textOf(body as string | Uint8Array | null | undefined), { isEnd: true });
  }

  #sink(server: SimulatedServer): Sink {
    return {
      write: (piece) => {
        if (!server.host.isAlive || this.#abort.signal.aborted) return 0;
        const taken = this.#hand(textOf(piece));
        return this.record.asking.readsForMs === undefined ? piece.length : taken;
      },
      flush() {},
      close: () => {
        if (server.host.isAlive) this.#hand('', { isEnd: true });
      },
    };
  }

  /** Resolves when the client has taken the bytes. */
  #hand(text: string, { isEnd = false } = {}): Promise<number> {
    const { record } = this;
    record.handed += text;
    record.handedAt ??= this.#simulation.now;
    if (isEnd) record.handedWholeAt = this.#simulation.now;
    this.#noticed?.(record, isEnd);
    const { promise, resolve } = Promise.withResolvers<number>();
    const { host } = this.#server!;
    this.#deliver(`to client ${this.#nameOf(text)}${isEnd ? ' end' : ''}`, () => {
      record.received += text;
      if (isEnd) this.#end('whole');
      this.#simulation.after(0, 'taken', () => resolve(text.length), host);
    });
    return promise;
  }

  /** Metrics have the use of the real process, which differs from run to run. */
  #nameOf(text: string): string {
    return this.record.asking.path === '/metrics' ? 'metrics' : `${text.length} ${Bun.hash.crc32(text)}`;
  }

  #deliver(what: string, run: () => void): void {
    const readMs = this.record.asking.readsForMs ?? 0;
    const at = Math.max(this.#arrivesAt + readMs, this.#simulation.now + this.#latency());
    this.#arrivesAt = at;
    this.#outside(at - this.#simulation.now, what, () => {
      if (!this.record.ending) run();
    });
  }

  /** Bytes that were handed over still arrive. */
  #cut(): void {
    this.#deliver('cut', () => this.#end('cut'));
  }

  #end(ending: Ending): void {
    if (this.record.ending) return;
    this.record.ending = ending;
    this.record.endedAt = this.#simulation.now;
    this.#resolve(this.record);
  }

  #outside(delayMs: number, what: string, run: () => void): void {
    this.#simulation.after(delayMs, what, run, this.#simulation.outside);
  }

  #latency(): number {
    return this.#simulation.draws('clients').skewed(0.05, 25);
  }
}

const decoder = new TextDecoder();
function textOf(body: string | Uint8Array | ArrayBuffer | null | undefined): string {
  if (typeof body === 'string') return body;
  return body ? decoder.decode(body) : '';
}
