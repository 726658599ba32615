import { expect, test } from 'bun:test';
import { ConversationHolds } from './conversation-holds.ts';
import type { ConversationStore } from './conversation-store.ts';

function setUp() {
  const released: string[] = [];
  const moved = Promise.withResolvers<void>();
  const store: Partial<ConversationStore> = {
    holdConversation: async () => true,
    releaseConversation: async ({ holder }) => void released.push(holder),
  };
  const holds = new ConversationHolds({
    store: store as ConversationStore,
    clock: { now: () => 0 },
    whenMoved: (requestId) => (requestId === 'req_waiting' ? moved.promise : undefined),
    onFailure: (error) => {
      throw error;
    },
  });
  return { holds, released, moved };
}

const wanted = (holder: string) => ({ id: 'conv_1', keyId: 'key_1', holder });

test('a request gives its conversation up when it ends', async () => {
  const { holds, released } = setUp();
  const held = await holds.take(wanted('req_1'));
  await holds.leave(held!);
  expect(released).toEqual(['req_1']);
});

test('a request keeps its conversation until its settlement is in the store', async () => {
  const { holds, released, moved } = setUp();
  const held = await holds.take(wanted('req_waiting'));
  await holds.leave(held!);
  expect(released).toEqual([]);
  moved.resolve();
  await moved.promise;
  await Bun.sleep(0);
  expect(released).toEqual(['req_waiting']);
});
