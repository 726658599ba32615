import { stage } from '../kernel/stage.ts';
import { Ports } from './ports.ts';

/** A request of the runtime's client, as a simulated server gets it. */
export type FetchRequest = { method: string; url: URL; body: string };
export type FetchReply = { status: number; body: string; afterMs: number };

/** A simulated server for requests of the runtime's client. */
export type FetchServer = {
  readonly isDown: boolean;
  /** Returns the answer, or `lost` if the connection breaks before it. */
  answer(request: FetchRequest): FetchReply | 'lost';
};

const RealFile = File;
const RealForm = FormData;

/** A file whose text can be read at once. */
export class SentFile extends RealFile {
  readonly written: string;

  constructor(parts: (string | Blob)[], name: string, options?: FilePropertyBag) {
    super(parts, name, options);
    this.written = parts.filter((part) => typeof part === 'string').join('');
  }
}

/** A form that keeps its file as it was given. */
export class SentForm extends RealForm {
  file: SentFile | undefined;

  override set(name: string, value: string | Blob, ...rest: [string?]): void {
    if (value instanceof SentFile) this.file = value;
    super.set(name, value as string, ...(rest as []));
  }
}

/** The servers that `simulatedFetch` reaches. */
export const fetchServers = new Ports<FetchServer>();

const failure = (message: string, code: string): Error => Object.assign(new Error(message), { code });

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  return (body instanceof SentForm && body.file?.written) || '';
}

type Options = { method?: string; body?: unknown; signal?: AbortSignal };

/**
 * Sends a request to a simulated server. The request arrives even if the process dies meanwhile. A port
 * without a server refuses connections.
 */
export async function simulatedFetch(address: string, options: Options = {}): Promise<Response> {
  const { simulation } = stage;
  const url = new URL(address);
  const server = fetchServers.find(simulation, Number(url.port));
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  if (!server) {
    simulation.after(1, 'fetch', () => reject(failure('Unable to connect', 'ConnectionRefused')));
    return promise;
  }
  const { host } = simulation;
  const random = simulation.draws('fetches');
  const { method = 'GET', signal } = options;
  const body = textOf(options.body);
  signal?.addEventListener('abort', () => reject(signal.reason as Error));
  const arrive = () => {
    const back = random.skewed(0.05, 30);
    const end = (delayMs: number, run: () => void) => simulation.after(delayMs, 'fetched', run, host);
    if (server.isDown) return end(back, () => reject(failure('Unable to connect', 'ConnectionRefused')));
    const reply = server.answer({ method, url, body });
    if (reply === 'lost') return end(back, () => reject(failure('The socket was closed', 'ECONNRESET')));
    const headers = { date: new Date(simulation.wallTime()).toUTCString() };
    return end(back + reply.afterMs, () => {
      simulation.pass('upstream bytes');
      if (host.isAlive) resolve(new Response(reply.body, { status: reply.status, headers }));
    });
  };
  simulation.after(random.skewed(0.05, 30), `fetch ${method} ${url.pathname}`, arrive, simulation.outside);
  return promise;
}
