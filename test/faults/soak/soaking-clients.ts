import { ask, type Key } from './ask.ts';
import { drawRequest, type Payer } from './draw-request.ts';
import type { SentRequest } from './sent-request.ts';

/** A running server, with each client's key for each payer. */
export type SoakServer = { url: string; keys: readonly Readonly<Record<Payer, Key>>[] };

const PAUSE_MS = 10;

/**
 * Clients that send one request after another while a server runs. A request's number determines its content.
 */
export class SoakingClients {
  readonly sent: SentRequest[] = [];
  complete = 0;
  readonly #seed: number;
  readonly #running: Promise<unknown>;
  #server = Promise.withResolvers<SoakServer>();
  #next = 0;
  #isStopped = false;

  constructor(count: number, seed: number) {
    this.#seed = seed;
    this.#running = Promise.all(Array.from({ length: count }, (_, client) => this.#run(client)));
  }

  /** The server has started. */
  open(server: SoakServer): void {
    this.#server.resolve(server);
  }

  /** The server ends. Clients wait for the next one. */
  close(): void {
    this.#server = Promise.withResolvers<SoakServer>();
  }

  /** Each client finishes its request. The upstream's gate must be open. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(client: number): Promise<void> {
    while (!this.#isStopped) await this.#ask(await this.#server.promise, client);
  }

  async #ask({ url, keys }: SoakServer, client: number): Promise<void> {
    const seed = this.#seed;
    const number = this.#next++;
    const key = keys[client]![drawRequest(seed, number).payer];
    const sent = await ask({ url, seed, number, key });
    this.sent.push(sent);
    if (sent.ending === 'complete') this.complete++;
    // Entries of requests without a head are matched by time.
    else if (sent.requestId === undefined) await Bun.sleep(PAUSE_MS);
  }
}
