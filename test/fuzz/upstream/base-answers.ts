import { createSimulator } from '../../../src/simulator/serving/simulator.ts';
import type { UpstreamRequest } from './scripted-upstream.ts';

export type BaseAnswer = { contentType: string; bytes: Uint8Array };

/**
 * Well-formed answers to be broken.
 * Requests of one kind are answered once, since their answers differ in nothing that matters.
 */
export class BaseAnswers {
  readonly #simulator = createSimulator();
  readonly #known = new Map<string, Promise<BaseAnswer>>();

  answer(kind: string, request: UpstreamRequest): Promise<BaseAnswer> {
    const known = this.#known.get(kind) ?? this.#ask(request);
    this.#known.set(kind, known);
    return known;
  }

  async #ask({ path, body }: UpstreamRequest): Promise<BaseAnswer> {
    const answer = await this.#simulator.handle(
      new Request(`http://simulator.test${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }),
    );
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return { contentType: answer.headers.get('content-type')!, bytes: await answer.bytes() };
  }
}
