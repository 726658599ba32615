import { startChatUpstream } from '../chat-upstream.ts';
import type { LimitedCall } from './find-passed-windows.ts';

/** The models of the key with a limit of requests and of the key with a limit of concurrency. */
export const LIMITED = 'limited';
export const NARROW = 'narrow';

/** The time of an answer in which requests of the narrow key overlap. */
const NARROW_MS = 150;
/**
 * One of this many lasts longer than a restart of Postgres, and less long than a node is silent before it is
 * closed.
 */
const LONG_ONE_OF = 8;
const LONG_MS = 4_000;

const narrowMs = (): number => (Math.random() < 1 / LONG_ONE_OF ? LONG_MS : NARROW_MS);

/**
 * The mark in a request's text: the time at which its client sent it, and the node's process that it was sent
 * to.
 */
export const markOf = (run: number): string => `sent=${performance.now()} run=${run}.`;

/** Starts an upstream that records the requests of limited keys. */
export function startWatchedUpstream() {
  const limited: LimitedCall[] = [];
  let narrow = 0;
  let mostNarrow = 0;
  const upstream = startChatUpstream({
    thinkMs: (model) => (model === NARROW ? narrowMs() : 0),
    onRequest: ({ model, body }) => {
      const [, sentAt, run] = /sent=([\d.]+) run=(\d+)\./.exec(body) ?? [];
      if (model === LIMITED)
        limited.push({ sentAt: Number(sentAt), run: Number(run), arrivedAt: performance.now() });
      if (model !== NARROW) return () => {};
      narrow += 1;
      mostNarrow = Math.max(mostNarrow, narrow);
      return () => {
        narrow -= 1;
      };
    },
  });
  return { ...upstream, limited, mostNarrow: () => mostNarrow };
}

export type WatchedUpstream = ReturnType<typeof startWatchedUpstream>;
