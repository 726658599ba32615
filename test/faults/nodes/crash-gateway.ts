import { expect } from 'bun:test';
import { type Answer, bearer, chatBody } from '../../support/call.ts';
import { postgresEntries } from '../../support/entries-sql.ts';
import { answerSlowly, answerWell } from '../../support/recording-upstream.ts';
import type { CreatedKey } from '../../support/start-server.ts';
import { DONE } from '../../support/stream-events.ts';
import { waitFor } from '../../support/wait-for.ts';
import { wideLimits } from '../../support/wide-limits.ts';
import { restOf } from '../faulty-gateway.ts';
import { type GatewayNode, openGatewayNodes } from './gateway-nodes.ts';

/** A node serves again within this time after Postgres has started again. */
export const SERVED_MS = 8_000;
const WINDOW = 12;
const PLACES = 3;
const CLIENTS = 6;

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);

/** Opens two nodes under load, and a plan with a small window and few places. */
export async function openCrashGateway(given?: Parameters<typeof openGatewayNodes>[1]) {
  const gateway = await openGatewayNodes(
    () => ({
      plans: { ...wideLimits, pro: { ...wideLimits.pro, requests_per_min: WINDOW, concurrent: PLACES } },
    }),
    given,
  );
  const nodes = [await gateway.start('one'), await gateway.start('two')];
  const nodeAt = (index: number): GatewayNode => nodes[index % nodes.length]!;
  const busy = await nodeAt(0).server.createKey('payg');
  await nodeAt(0).server.purchase(busy.account, 50);

  function stream(node: GatewayNode, { key }: CreatedKey) {
    const body = JSON.stringify(chatBody('test-small', { stream: true, max_tokens: 100 }));
    return fetch(`${node.server.url}/v1/chat/completions`, { method: 'POST', headers: bearer(key), body });
  }

  /**
   * Starts clients that ask both nodes until `stop`. Returns the ids of the requests with a complete answer.
   */
  function keepAsking() {
    const complete: string[] = [];
    let isOver = false;
    const clients = Array.from({ length: CLIENTS }, async (_, index) => {
      while (!isOver) {
        const answer = await stream(nodeAt(index), busy).catch(() => undefined);
        if (!answer) return; // a failed test has stopped the node
        const text = await restOf(answer.body!.getReader());
        if (text.includes(DONE)) complete.push(answer.headers.get('x-request-id')!);
        else await Bun.sleep(20);
      }
    });
    const stop = async () => {
      isOver = true;
      await Promise.all(clients);
    };
    return { complete, stop };
  }

  async function billedIds(): Promise<Set<unknown>> {
    const rows = await gateway.database.all(
      `SELECT request_id FROM ${postgresEntries} e WHERE kind = 'usage'`,
    );
    return new Set(rows.map(({ request_id }) => request_id));
  }

  const spoolsAreEmpty = () =>
    nodes.every(({ server }) => {
      const log = server.log();
      return log.lastIndexOf('"spooling"') <= log.lastIndexOf('"spool-drained"');
    });

  const serves = ({ server }: GatewayNode) =>
    waitFor(async () => (await server.chat(busy.key, 'test-small', { max_tokens: 10 })).status === 200);

  /**
   * Ends Postgres under load and brings it back. Returns the time until both nodes have answered. Every
   * complete answer must be billed once.
   */
  async function endPostgres(steps: { end(): Promise<void>; bringBack(): Promise<void> }): Promise<number> {
    const load = keepAsking();
    await waitFor(() => load.complete.length > CLIENTS * 2);
    await steps.end();
    const from = performance.now();
    await steps.bringBack();
    await Promise.all(nodes.map(serves));
    const tookMs = performance.now() - from;
    await load.stop();
    await waitFor(spoolsAreEmpty);
    await waitFor(async () => (await gateway.holds(busy.account)) === 0);
    const billed = await billedIds();
    expect(load.complete.filter((id) => !billed.has(id))).toEqual([]);
    expect({
      billedTwice: await gateway.billedTwice(),
      faults: await nodeAt(0).server.ledgerFaults(),
    }).toEqual({ billedTwice: [], faults: [] });
    return tookMs;
  }

  /** Asks for whole answers on both nodes by turns. */
  async function askByTurns({ key }: CreatedKey, times: number): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (let index = 0; index < times; index++)
      answers.push(await nodeAt(index).server.chat(key, 'test-small', { max_tokens: 10 }));
    return answers;
  }

  /** Takes places and a part of a window, and expects after the crash that exactly the rest is left. */
  async function expectLimitsKeptOver(crash: () => Promise<number>): Promise<number> {
    const limited = await nodeAt(0).server.createKey('pro');
    const slow = answerSlowly();
    const answerSlowlyFrom = () => gateway.upstream.answer('hidden-test-small', slow.answer);
    answerSlowlyFrom();
    const open = [await stream(nodeAt(0), limited), await stream(nodeAt(1), limited)];
    gateway.upstream.answer('hidden-test-small', answerWell);
    expect(statuses(await askByTurns(limited, 4))).toEqual(Array(4).fill(200));

    const tookMs = await crash();

    answerSlowlyFrom();
    const last = await stream(nodeAt(0), limited);
    const tooMany = await nodeAt(1).server.chat(limited.key, 'test-small');
    expect({ status: last.status, code: tooMany.body.error.code }).toEqual({
      status: 200,
      code: 'concurrency_limit_exceeded',
    });
    slow.release();
    const texts = await Promise.all([...open, last].map(({ body }) => restOf(body!.getReader())));
    expect(texts.every((text) => text.includes(DONE))).toBe(true);
    gateway.upstream.answer('hidden-test-small', answerWell);
    const left = WINDOW - 2 - 4 - 1;
    const after = statuses(await askByTurns(limited, left + 2));
    expect(after).toEqual([...Array(left).fill(200), 429, 429]);
    return tookMs;
  }

  return { gateway, endPostgres, expectLimitsKeptOver };
}
