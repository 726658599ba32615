import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';

// A model that thinks for a while, in a process of its own: `slow-upstream.ts PORT CONTROL_PORT THINKING_MS`.
// What is put to the control port says how it behaves from then on.

const answer = JSON.stringify({
  ...{ id: 'x', object: 'chat.completion', created: 1_750_000_000, model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 },
});

/** `gone`: nobody listens; `failing`: each request is a 500; `half`: every other one; `slow`: ten times the thinking. */
export type Mood = 'well' | 'slow' | 'half' | 'failing' | 'gone';

const SLOWER = 10;

class SlowUpstream {
  readonly #port: number;
  readonly #thinkingMs: number;
  readonly #random = seededRandom(1);
  #mood: Mood = 'well';
  #count = 0;
  #server: ReturnType<typeof Bun.serve> | undefined;

  constructor(port: number, thinkingMs: number) {
    this.#port = port;
    this.#thinkingMs = thinkingMs;
    this.#listen();
  }

  async setMood(mood: Mood): Promise<void> {
    this.#mood = mood;
    if (mood !== 'gone') return this.#listen();
    await this.#server?.stop(true);
    this.#server = undefined;
  }

  #listen(): void {
    this.#server ??= Bun.serve({
      port: this.#port,
      hostname: '127.0.0.1',
      idleTimeout: 0,
      fetch: (request) => this.#answer(request),
    });
  }

  async #answer(request: Request): Promise<Response> {
    await request.text();
    this.#count++;
    const fails = this.#mood === 'failing' || (this.#mood === 'half' && this.#count % 2 === 0);
    if (fails) return new Response('{}', { status: 500 });
    // Answers differ in length. Of one length they would come in step, and slots free up all at once.
    const thinkingMs = this.#thinkingMs * (0.5 + this.#random());
    await Bun.sleep(this.#mood === 'slow' ? thinkingMs * SLOWER : thinkingMs);
    return new Response(answer, { headers: { 'content-type': 'application/json' } });
  }
}

if (import.meta.main) {
  const [port, controlPort, thinkingMs] = process.argv.slice(2).map(Number) as [number, number, number];
  const upstream = new SlowUpstream(port, thinkingMs);
  Bun.serve({
    port: controlPort,
    hostname: '127.0.0.1',
    async fetch(request) {
      if (request.method === 'PUT') await upstream.setMood((await request.text()) as Mood);
      return new Response('');
    },
  });
}
