import { afterAll } from 'bun:test';
import { postgresForTest } from '../../../src/store/postgres/testing/postgres-for-test.ts';
import type { Answer } from '../call.ts';
import { startServer, type TestConfig, type TestServer } from '../start-server.ts';

/**
 * Starts servers with separate data directories on one new database, with a test clock, for one test file.
 */
export async function startNodes(count: number, config: TestConfig) {
  const postgres = await postgresForTest();
  const database = await postgres.create();
  const environment = { DATABASE_URL: database, TOLLGATE_TEST_CLOCK: '1' };
  const nodes: TestServer[] = [];
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await postgres.drop(database);
  });
  const start = async (): Promise<TestServer> => {
    const first = nodes[0];
    const node = await startServer({ config, environment, ...(first && { adminToken: first.adminToken }) });
    nodes.push(node);
    return node;
  };
  await start();
  await Promise.all(Array.from({ length: count - 1 }, start));
  return {
    database,
    nodes,
    first: nodes[0]!,
    /** Sends requests at once, spread over the nodes in turn. */
    spread: (times: number, ask: (node: TestServer, index: number) => Promise<Answer>): Promise<Answer[]> =>
      Promise.all(Array.from({ length: times }, (_, index) => ask(nodes[index % nodes.length]!, index))),
    /** Asks every node, one after the other. */
    async each<Answered>(ask: (node: TestServer, index: number) => Promise<Answered>): Promise<Answered[]> {
      const answers: Answered[] = [];
      for (const [index, node] of nodes.entries()) answers.push(await ask(node, index));
      return answers;
    },
    advance: (seconds: number, node = nodes[0]!) => node.admin('POST', '/test/clock', { advance_s: seconds }),
  };
}
