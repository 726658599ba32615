import { bearer } from '../../support/call.ts';
import { CHAT, userTurn, writeBody } from './ask.ts';

export type Sample = {
  /** The time at which the request was due, by `performance.now()`. The wait includes a late start. */
  at: number;
  waitMs: number;
  status: number;
  requestId: string | undefined;
};

type Parts = {
  url: string;
  /** The upstream's own address, which the control asks. */
  upstream: string;
  key: string;
  model?: string | undefined;
  bodyBytes?: number | undefined;
};

const EVERY_MS = 40;

/**
 * Sends small requests of another account at a steady rate, regardless of slow answers. Every second one is a
 * stream, and each has its own connection. A control request goes directly to the upstream each time. Its
 * wait shows the load of the machine.
 */
export class Bystander {
  readonly samples: Sample[] = [];
  readonly controls: Sample[] = [];
  readonly #pending = new Set<Promise<void>>();
  readonly #parts: Parts;
  readonly #bodies: readonly string[];
  #isOver = false;
  readonly #sending: Promise<void>;

  constructor(parts: Parts) {
    const { model = 'calm-quick', bodyBytes = 0 } = parts;
    this.#parts = parts;
    const messages = userTurn(`hello${'.'.repeat(bodyBytes)}`);
    this.#bodies = [false, true].map((stream) => writeBody(model, { stream, max_tokens: 8, messages }));
    this.#sending = this.#send();
  }

  /** Stops sending, and waits for requests under way. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#sending;
    await Promise.all(this.#pending);
  }

  async #send(): Promise<void> {
    const from = performance.now();
    for (let number = 0; !this.#isOver; number++) {
      const at = from + number * EVERY_MS;
      await Bun.sleep(Math.max(0, at - performance.now()));
      const body = this.#bodies[number % 2]!;
      this.#ask(this.samples, { url: this.#parts.url, at, body });
      this.#ask(this.controls, { url: this.#parts.upstream, at, body });
    }
  }

  #ask(samples: Sample[], asked: { url: string; at: number; body: string }): void {
    const sample: Sample = {
      at: asked.at,
      waitMs: Number.POSITIVE_INFINITY,
      status: 0,
      requestId: undefined,
    };
    samples.push(sample);
    const request = this.#fill(sample, asked)
      .catch(() => {}) // a request without an answer keeps the status 0
      .finally(() => this.#pending.delete(request));
    this.#pending.add(request);
  }

  async #fill(sample: Sample, { url, at, body }: { url: string; at: number; body: string }): Promise<void> {
    const headers = bearer(this.#parts.key);
    const answer = await fetch(url + CHAT, { method: 'POST', headers, body, keepalive: false });
    await answer.text();
    sample.status = answer.status;
    sample.requestId = answer.headers.get('x-svc-request-id') ?? undefined;
    if (sample.status === 200) sample.waitMs = performance.now() - at;
  }
}

/** Computes the waits of the requests that were due within a span of time. */
export function waitsBetween(samples: readonly Sample[], from: number, to: number) {
  const within = samples.filter(({ at }) => at >= from && at < to);
  const waits = within.map(({ waitMs }) => waitMs).sort((one, other) => one - other);
  const at = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0;
  return {
    count: waits.length,
    p50: at(0.5),
    p99: at(0.99),
    /** The statuses of requests that were not answered well. */
    failed: within.filter(({ waitMs }) => waitMs === Number.POSITIVE_INFINITY).map(({ status }) => status),
  };
}
