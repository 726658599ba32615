import { bearer, chatBody, type Json } from '../../support/call.ts';
import { messagesBody } from '../../support/messages-body.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Populated } from './populate.ts';
import type { AnyServer } from './start-release.ts';

const WORKERS = 12;
const ANSWERS_BEFORE_KILL = 60;

/** Ids of requests whose answers had arrived completely before the kill. */
export type Acknowledged = string[];

const requestOf = (index: number): { path: string; body: Json } => {
  if (index % 4 === 0)
    return { path: '/v1/messages', body: messagesBody('slow', { max_tokens: 200, stream: true }) };
  const model = index % 4 === 1 ? 'slow' : 'able';
  return { path: '/v1/chat/completions', body: chatBody(model, { stream: index % 2 === 1 }) };
};

/** Sends requests without a pause, and kills the server in the middle of them. */
export async function killInTraffic(
  server: AnyServer,
  { accounts }: Populated,
  kill: () => Promise<void>,
): Promise<Acknowledged> {
  const acknowledged: Acknowledged = [];
  let killed = false;
  async function work(worker: number): Promise<void> {
    for (let index = worker; !killed; index++) {
      const { path, body } = requestOf(index);
      const { key } = accounts[index % accounts.length]!;
      const answer = await server.call(path, { headers: bearer(key), body }).catch(() => undefined);
      if (answer?.status === 200) acknowledged.push(answer.headers.get('x-svc-request-id')!);
      else if (!killed) throw new Error(`a request answered ${answer?.status}: ${answer?.text}`);
    }
  }
  const workers = Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
  workers.catch(() => {});
  const enough = waitFor(() => acknowledged.length >= ANSWERS_BEFORE_KILL, 60_000);
  await Promise.race([workers, enough]);
  killed = true;
  await kill();
  await workers;
  return acknowledged;
}
