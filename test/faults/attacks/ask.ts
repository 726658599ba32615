import { type Answer, bearer, call, type Json } from '../../support/call.ts';
import type { AttackSession } from './attack.ts';

export const MEGABYTE = 1024 * 1024;
export const CHAT = '/v1/chat/completions';

type RequestFields = { method?: string; headers?: Record<string, string>; body?: unknown };

/** Sends one request of the attacker. Returns undefined if the connection was closed without an answer. */
export async function ask(
  { url, key, signal }: AttackSession,
  path: string,
  { headers, ...asked }: RequestFields = {},
): Promise<Answer | undefined> {
  try {
    return await call(url + path, { headers: { ...bearer(key), ...headers }, signal, ...asked });
  } catch {
    return undefined;
  }
}

/** Sends one request after the other on this many connections until the time is up. */
export async function onConnections(
  session: AttackSession,
  count: number,
  send: (number: number) => Promise<Answer | undefined>,
  { isBilled = false, pauseMs = 0 } = {},
): Promise<void> {
  let number = 0;
  const connections = Array.from({ length: session.scaled(count) }, async () => {
    while (!session.signal.aborted) {
      const answer = await send(number++);
      if (session.signal.aborted && !answer) return; // the attacker has left
      if (!answer) session.noteStatus(0);
      else if (isBilled) session.noteBilled(answer);
      else session.noteStatus(answer.status);
      // A server that refuses at once is not asked again more often than a client on a network could.
      if (answer?.status !== 200) await Bun.sleep(5);
      if (pauseMs > 0) await Bun.sleep(pauseMs);
    }
  });
  await Promise.all(connections);
}

/** Waits until the attack is over. */
export const untilOver = ({ signal }: AttackSession): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

/** Returns a conversation of one turn. */
export const userTurn = (content: unknown): Json[] => [{ role: 'user', content }];

/** Writes a body. The model is its first member, because the upstream searches the start. */
export const writeBody = (model: string, rest: object): string => JSON.stringify({ model, ...rest });
