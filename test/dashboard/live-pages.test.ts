import { afterAll, expect, test } from 'bun:test';
import { startNodes } from '../support/postgres/start-nodes.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { signInAsOperator } from './sign-in.ts';
import { browserTest, expectSound, useBrowser } from './support/use-browser.ts';

const upstream = startRecordingUpstream();
afterAll(() => upstream.stop());
const { nodes, first } = await startNodes(3, sampleConfig(upstream.url));
const person = await signInAsOperator(first);
const { openPage } = useBrowser(nodes[1]!);

test('every node announces the requests of all nodes to its pages', async () => {
  const { key, account } = await first.createKey('enterprise');
  const streams = await Promise.all(
    nodes.map(({ url }) =>
      fetch(`${url}/dashboard/v1/events?topics=requests`, { headers: { cookie: person.cookie } }),
    ),
  );
  const readers = streams.map(({ body }) => body!.pipeThrough(new TextDecoderStream()).getReader());
  const read = readers.map(() => '');
  const readUntil = async (index: number, sign: string) => {
    while (!read[index]!.includes(sign)) {
      const { value, done } = await readers[index]!.read();
      if (done) throw new Error(`the stream of node ${index} ended without ${sign}`);
      read[index] += value;
    }
  };
  await Promise.all(nodes.map((_, index) => readUntil(index, 'retry')));
  // A stream follows requests once it has found the place where it begins.
  let isFollowing = false;
  const followed = Promise.all(nodes.map((_, index) => readUntil(index, account))).then(() => {
    isFollowing = true;
  });
  while (!isFollowing) {
    await first.chat(key, 'test-small');
    await Promise.race([followed, Bun.sleep(300)]);
  }
  for (const node of nodes) {
    const answer = await node.chat(key, 'test-small');
    const id = answer.headers.get('x-svc-request-id')!;
    await Promise.all(nodes.map((_, index) => readUntil(index, id)));
  }
  await Promise.all(readers.map((reader) => reader.cancel()));
});

browserTest('a request on any node appears by itself on a page that another node serves', async () => {
  const { key, account } = await first.createKey('enterprise');
  const page = await openPage(`/operator/requests?account=${account}`, { person });
  await page.getByText('No matching requests').waitFor();
  const events: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/dashboard/v1/events')) events.push(request.url());
  });
  const rows = page.getByRole('link', { name: /^req_/ });
  for (const [index, node] of nodes.entries()) {
    expect((await node.chat(key, 'test-small')).status).toBe(200);
    await rows.nth(index).waitFor();
    expect(await rows.count()).toBe(index + 1);
  }
  // One stream serves the page all along.
  expect(events).toEqual([]);
  await expectSound(page);
});
