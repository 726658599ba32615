import { afterAll, expect, test } from 'bun:test';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import type { Json } from '../support/call.ts';
import { startNodes } from '../support/postgres/start-nodes.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { waitFor } from '../support/wait-for.ts';

const upstream = startRecordingUpstream();
afterAll(() => upstream.stop());
const { nodes, first } = await startNodes(2, sampleConfig(upstream.url));

test('every node answers with the traffic of all nodes, by node too', async () => {
  upstream.answer('hidden-test-small', answerWithUsage(100, 5));
  const { key, account } = await first.createKey('enterprise');
  const each = 4;
  for (const node of nodes)
    await Promise.all(Array.from({ length: each }, () => node.chat(key, 'test-small', { max_tokens: 5 })));
  for (const node of nodes) {
    const read = async (): Promise<Json> =>
      (await node.admin('GET', `/traffic?account=${account}&group_by=node`)).body;
    await waitFor(async () => (await read()).totals.requests === each * nodes.length);
    const { totals, groups } = await read();
    expect(totals).toMatchObject({ attempts: 8, input_tokens: 800, output_tokens: 40 });
    expect(groups.map(({ requests }: Json) => requests)).toEqual([each, each]);
    const serving = (await node.admin('GET', '/nodes')).body.data.map(({ id }: Json) => id);
    expect(groups.map(({ group }: Json) => group).sort()).toEqual(serving.sort());
  }
});
