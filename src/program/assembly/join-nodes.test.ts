import { expect, test } from 'bun:test';
import type { Foundation } from './create-foundation.ts';
import type { ServingParts } from './create-serving-parts.ts';
import { joinNodes } from './join-nodes.ts';
import type { ServingNode } from './node-hooks.ts';

test('a node whose reload for another node fails continues to serve', async () => {
  let node: ServingNode | undefined;
  const events: string[] = [];
  const nodes = {
    onChange: () => {},
    onClosed: () => {},
    start: async (serving: ServingNode) => {
      node = serving;
    },
  };
  const logger = { error: (event: string) => events.push(event) };
  const settings = { book: { load: async () => {} } };
  const foundation = { storage: { nodes }, live: { announceWith: () => {} }, settings, logger };
  const reloadThisNode = async () => {
    throw new Error('the database is away');
  };
  await joinNodes(foundation as unknown as Foundation, { reloadThisNode } as unknown as ServingParts);
  node!.reload();
  // A rejection that nobody handles would end the process, and fail this test.
  await Bun.sleep(1);
  expect(events).toEqual(['reload-failed']);
});
