import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';

// An upstream that answers after a delay, in a separate process:
// `slow-upstream.ts PORT CONTROL_PORT THINKING_MS`. A PUT to the control port changes its behaviour.

const answer = JSON.stringify({
  id: 'x',
  object: 'chat.completion',
  created: 1_750_000_000,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 },
});

const moods = ['well', 'slow', 'half', 'failing', 'gone'] as const;

/**
 * `gone`: refuses connections. `failing`: answers 500. `half`: answers every other request with 500.
 * `slow`: takes ten times as long.
 */
export type Mood = (typeof moods)[number];

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
    // Answer times differ. With equal times, all slots would become free at once.
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
      if (request.method !== 'PUT') return new Response('');
      const word = await request.text();
      const mood = moods.find((known) => known === word);
      if (mood === undefined) return new Response(`there is no mood '${word}'`, { status: 400 });
      await upstream.setMood(mood);
      return new Response('');
    },
  });
}
