import { bearer, type Json } from '../support/call.ts';

/** A reply that a client has seen the end of. */
export type SeenAnswer = { requestId: string; isStream: boolean };
/** A key whose requests go to a model of their own, with a text that is made for each. */
export type DoorKey = { key: string; model?: string | undefined; text?: (() => string) | undefined };
/** The server's address, while a server runs. */
export type Door = { url: string; keys: readonly (string | DoorKey)[] };

type Way = {
  path: string;
  model: string;
  body(text: string): Json;
  isComplete(text: string, isStream: boolean): boolean;
};

const endsAs =
  (ending: string): Way['isComplete'] =>
  (text, isStream) =>
    isStream ? text.includes(ending) : text.endsWith('}');

/** The dialects, each with the mark of a complete stream. */
const ways: readonly Way[] = [
  {
    path: '/v1/chat/completions',
    model: 'quick',
    body: (content) => ({ messages: [{ role: 'user', content }], max_tokens: 20 }),
    isComplete: endsAs('data: [DONE]'),
  },
  {
    path: '/v1/messages',
    model: 'quick',
    body: (content) => ({ messages: [{ role: 'user', content }], max_tokens: 20 }),
    isComplete: endsAs('"message_stop"'),
  },
  {
    path: '/v1/responses',
    model: 'quick',
    body: (input) => ({ input, max_output_tokens: 20 }),
    isComplete: endsAs('"response.completed"'),
  },
];

/** One of this many requests goes to the model that takes its time. */
const SLOW_ONE_OF = 20;

/**
 * Clients that ask without a pause, whenever there is a server, and note each reply that they saw the end of.
 */
export class BusyClients {
  readonly seen: SeenAnswer[] = [];
  /** Requests that were answered otherwise: refused, or broken off. */
  unanswered = 0;
  #door = Promise.withResolvers<Door>();
  #isStopped = false;
  readonly #running: Promise<unknown>;

  constructor(count: number, random: () => number) {
    this.#running = Promise.all(Array.from({ length: count }, () => this.#ask(random)));
  }

  open(door: Door): void {
    this.#door.resolve(door);
  }

  close(): void {
    this.#door = Promise.withResolvers<Door>();
  }

  /** Each client finishes its request. The upstream's gate must be open. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #ask(random: () => number): Promise<void> {
    while (!this.#isStopped) {
      const { url, keys } = await this.#door.promise;
      const way = ways[Math.floor(random() * ways.length)]!;
      const drawn = keys[Math.floor(random() * keys.length)]!;
      const {
        key,
        model,
        text = () => 'hello',
      }: DoorKey = typeof drawn === 'string' ? { key: drawn } : drawn;
      const isSlow = model === undefined && random() < 1 / SLOW_ONE_OF;
      const isStream = isSlow || random() < 0.6;
      const body = { ...way.body(text()), model: isSlow ? 'slow' : (model ?? way.model), stream: isStream };
      const requestId = await send({ url, key, body, way });
      if (requestId) this.seen.push({ requestId, isStream });
      else {
        this.unanswered += 1;
        await Bun.sleep(5);
      }
    }
  }
}

type BusyRequest = { url: string; key: string; body: Json; way: Way };

/** Sends a request. Returns its id if its reply was received completely. */
async function send({ url, key, body, way }: BusyRequest): Promise<string | undefined> {
  try {
    const response = await fetch(url + way.path, {
      method: 'POST',
      headers: bearer(key),
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const requestId = response.headers.get('x-svc-request-id') ?? undefined;
    return response.status === 200 && way.isComplete(text, body.stream) ? requestId : undefined;
  } catch {
    return undefined;
  }
}
