import { bearer, type Json } from '../support/call.ts';

/** A reply that a client received completely. */
export type CompleteReply = { requestId: string; isStream: boolean; keyId: string | undefined };
/** A key. Its requests go to `model` if there is one, with a text that is made for each. */
export type ClientKey = { key: string; id?: string; model?: string; text?: () => string };
/** A running server, with the keys that clients draw from. */
type OpenServer = { url: string; keys: readonly ClientKey[] };

type Endpoint = {
  path: string;
  body(text: string): Json;
  isComplete(text: string, isStream: boolean): boolean;
};

const completeAt =
  (streamEnd: string): Endpoint['isComplete'] =>
  (text, isStream) =>
    isStream ? text.includes(streamEnd) : text.endsWith('}');

const endpoints: readonly Endpoint[] = [
  {
    path: '/v1/chat/completions',
    body: (content) => ({ messages: [{ role: 'user', content }], max_tokens: 20 }),
    isComplete: completeAt('data: [DONE]'),
  },
  {
    path: '/v1/messages',
    body: (content) => ({ messages: [{ role: 'user', content }], max_tokens: 20 }),
    isComplete: completeAt('"message_stop"'),
  },
  {
    path: '/v1/responses',
    body: (input) => ({ input, max_output_tokens: 20 }),
    isComplete: completeAt('"response.completed"'),
  },
];

/** One in this many requests goes to the slow model. */
const SLOW_ONE_IN = 20;
const STREAM_SHARE = 0.6;
const PAUSE_AFTER_FAILURE_MS = 5;

/** Clients that send one request after another while a server runs. Each complete reply is recorded. */
export class BusyClients {
  readonly complete: CompleteReply[] = [];
  readonly #random: () => number;
  readonly #running: Promise<unknown>;
  #server = Promise.withResolvers<OpenServer>();
  #isStopped = false;

  constructor(count: number, random: () => number) {
    this.#random = random;
    this.#running = Promise.all(Array.from({ length: count }, () => this.#run()));
  }

  /** Lets the clients use a server that has started. */
  open(server: OpenServer): void {
    this.#server.resolve(server);
  }

  /** Lets the clients wait for the next server. */
  close(): void {
    this.#server = Promise.withResolvers<OpenServer>();
  }

  /** Waits until each client has finished its request. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const request = this.#draw(await this.#server.promise);
      const requestId = await send(request);
      if (requestId) this.complete.push({ requestId, isStream: request.body.stream, keyId: request.keyId });
      else await Bun.sleep(PAUSE_AFTER_FAILURE_MS);
    }
  }

  #draw({ url, keys }: OpenServer): BusyRequest {
    const endpoint = this.#of(endpoints);
    const { key, id: keyId, model, text = () => 'hello' } = this.#of(keys);
    const isSlow = model === undefined && this.#random() < 1 / SLOW_ONE_IN;
    const stream = isSlow || this.#random() < STREAM_SHARE;
    const body = { ...endpoint.body(text()), model: isSlow ? 'slow' : (model ?? 'quick'), stream };
    return { url, key, keyId, endpoint, body };
  }

  #of<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)]!;
  }
}

type BusyRequest = { url: string; key: string; keyId: string | undefined; endpoint: Endpoint; body: Json };

/** Sends a request. Returns its id if the client received the reply completely. */
async function send({ url, key, body, endpoint }: BusyRequest): Promise<string | undefined> {
  try {
    const response = await fetch(url + endpoint.path, {
      method: 'POST',
      headers: bearer(key),
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const requestId = response.headers.get('x-svc-request-id') ?? undefined;
    return response.status === 200 && endpoint.isComplete(text, body.stream) ? requestId : undefined;
  } catch {
    return undefined;
  }
}
