import type { Json } from '../call.ts';
import { HIDDEN } from '../recording-upstream.ts';
import { anthropicBatches } from './anthropic-batches.ts';
import { NativeBatches } from './native-batches.ts';
import type { NativeRoutes } from './native-routes.ts';
import { openAiBatches } from './openai-batches.ts';

/** The failures of the next calls, by method and path. */
class CallFailures {
  /** The number of calls that fail. */
  readonly failing = new Map<string, number>();
  /** The number of calls that take effect and whose answer breaks off or never comes. */
  readonly losing = new Map<string, { left: number; how: 'breaks' | 'never' }>();

  takeFailure(call: string): boolean {
    const left = this.failing.get(call) ?? 0;
    this.failing.set(call, Math.max(0, left - 1));
    return left > 0;
  }

  /** Returns the answer as its client gets it. */
  async deliver(call: string, answer: Response): Promise<Response> {
    const lost = this.losing.get(call);
    if (!lost || lost.left === 0) return answer;
    lost.left--;
    if (lost.how === 'never') await new Promise(() => {});
    return new Response('{"id":'); // broken off
  }

  forget(): void {
    this.failing.clear();
    this.losing.clear();
  }
}

/**
 * The batches of both vendors, as documented, and their failures. Batches end as soon as they are created,
 * unless the test ends them.
 */
export function startNativeUpstream() {
  const store = new NativeBatches();
  const failures = new CallFailures();
  const calls: string[] = [];
  const routes: NativeRoutes = [
    ...anthropicBatches(store),
    ...openAiBatches(store),
    [
      /^POST \/v1\/(?:messages\/)?batches\/([^/]+)\/cancel$/,
      (id) => {
        store.cancel(id);
        return Response.json({ id });
      },
    ],
  ];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const call = `${request.method} ${new URL(request.url).pathname}`;
      const [pattern, answer] = routes.find(([one]) => one.test(call)) ?? [];
      if (!pattern || !answer) return new Response('', { status: 404 });
      const kind = call.replace(/\/[^/]*hidden[^/]*/, '/{id}');
      calls.push(kind);
      if (failures.takeFailure(kind)) return Response.json({ error: { message: HIDDEN } }, { status: 503 });
      const key = request.headers.get('authorization') ?? request.headers.get('x-api-key');
      if (!key) return new Response('', { status: 401 });
      const id = pattern.exec(call)?.[1] ?? '';
      const isMissing = id !== '' && call.includes('/batches/') && !store.batches.has(id);
      if (isMissing) return new Response('', { status: 404 });
      return failures.deliver(kind, await answer(id, request));
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    port: server.port!,
    calls,
    bodies: store.bodies,
    failing: failures.failing,
    losing: failures.losing,
    /** Sets whether batches end as soon as they are created. */
    endAtOnce: (ends: boolean) => {
      store.endsAtOnce = ends;
    },
    report: (usage: Json, fields: Json = {}) => store.report(usage, fields),
    endAll: () => store.endAll(),
    held: () => [...store.batches.values()],
    files: () => store.files.size,
    taken: () => store.taken,
    forget: () => {
      calls.length = 0;
      store.forget();
      failures.forget();
    },
    stop: () => void server.stop(true),
  };
}
