import { bearer, type Json } from '../../support/call.ts';
import { drawRequest, type Leave, type SoakRequest } from './draw-request.ts';
import type { Ending, SentRequest } from './sent-request.ts';
import { type Learned, soakDialects } from './soak-dialects.ts';

export type Key = { id: string; key: string };

type RequestOrder = { url: string; seed: number; number: number; key: Key };

/** Sends one planned request, reads its answer until its client leaves, and reports the end. */
export async function ask({ url, seed, number, key }: RequestOrder): Promise<SentRequest> {
  const request = drawRequest(seed, number);
  const reading = new Reading(request);
  const sentAt = Date.now();
  const leaving =
    request.leave?.moment === 'before-head' ? leaveLater(reading, request.leave.afterMs) : undefined;
  await reading.run(() => send(url, key, request, reading.signal)).catch(() => reading.fail());
  clearTimeout(leaving);
  return {
    number,
    payer: request.payer,
    keyId: key.id,
    sentAt,
    ...reading.outcome(),
  };
}

const leaveLater = (reading: Reading, afterMs: number) => setTimeout(() => reading.leave(), afterMs);

function send(url: string, key: Key, request: SoakRequest, signal: AbortSignal): Promise<Response> {
  const { path, body } = soakDialects[request.dialect];
  const { model, isStream, payer } = request;
  const mode = payer === 'subscriber-payg' ? { 'x-svc-payment-mode': 'payg' } : {};
  return fetch(url + path, {
    method: 'POST',
    headers: { ...bearer(key.key), ...mode },
    body: JSON.stringify({ ...body(request), model, ...(isStream && { stream: true }) }),
    signal,
  });
}

/** One answer as its client reads it. */
class Reading {
  readonly #request: SoakRequest;
  readonly #controller = new AbortController();
  readonly #finished: number[] = [];
  #ending: Ending | undefined;
  #leftAt: number | undefined;
  #requestId: string | undefined;
  #error: string | undefined;
  #usage: Learned['usage'];
  #pieces = 0;
  readonly #received: number[];

  constructor(request: SoakRequest) {
    this.#request = request;
    this.#received = Array(request.prompts.length * request.answers).fill(0);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  leave(): void {
    if (this.#ending) return;
    this.#ending = 'left';
    this.#leftAt = Date.now();
    this.#controller.abort();
  }

  fail(): void {
    this.#ending ??= 'cut';
  }

  outcome() {
    return {
      ending: this.#ending ?? ('cut' as const),
      endedAt: this.#leftAt ?? Date.now(),
      requestId: this.#requestId,
      error: this.#error,
      finished: this.#finished,
      received: this.#received,
      usage: this.#usage,
    };
  }

  async run(begin: () => Promise<Response>): Promise<void> {
    const response = await begin();
    this.#requestId = response.headers.get('x-svc-request-id') ?? undefined;
    if (response.status !== 200) return this.#refused(response);
    if (this.#moment() === 'at-head') return this.leave();
    if (!this.#request.isStream) return this.#learn(this.#dialect.learnWhole(await response.json()));
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of response.body!) {
      const events = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
      rest = events.pop()!;
      for (const event of events) this.#read(event);
      if (this.signal.aborted) return;
    }
  }

  get #dialect() {
    return soakDialects[this.#request.dialect];
  }

  #moment(): Leave['moment'] | undefined {
    return this.#request.leave?.moment;
  }

  async #refused(response: Response): Promise<void> {
    this.#ending = 'refused';
    const { error } = (await response.json()) as Json;
    this.#error = `${response.status} ${error?.type} ${error?.code ?? ''}`;
  }

  #read(event: string): void {
    const at = event.indexOf('data: ');
    if (at < 0 || this.#ending === 'left') return; // a comment, or the client has left
    const data = event.slice(at + 6);
    this.#learn(this.#dialect.learn(data === '[DONE]' ? data : JSON.parse(data), this.#usage));
  }

  #learn({ text, choice = 0, finished, usage, error, isEnd }: Learned): void {
    if (usage) this.#usage = usage;
    if (finished !== undefined) this.#finished.push(finished);
    if (error !== undefined) {
      this.#error ??= error;
      this.#ending ??= 'error'; // other parts may continue after one has failed
    } else if (isEnd) this.#ending ??= 'complete';
    else if (text) this.#count(text, choice);
  }

  #count(text: string, choice: number): void {
    this.#pieces += 1;
    this.#received[choice]! += text.length;
    const { leave, prompts, answers } = this.#request;
    const whole = prompts.reduce((sum, { output }) => sum + output.length, 0) * answers;
    const received = this.#received.reduce((sum, length) => sum + length, 0);
    if (leave?.moment === 'in-text' && this.#pieces >= leave.afterPieces) this.leave();
    if (leave?.moment === 'near-end' && received >= whole) this.leave();
  }
}
