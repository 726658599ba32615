import type { Clients } from './clients.ts';

const MAX_TURNS = 4;
const MAX_ATTEMPTS = 10;
const account = 'unlimited';

/** Creates a conversation and adds turns to it, sometimes two at once. */
export async function converse(clients: Clients): Promise<void> {
  const { random, simulation } = clients;
  const conversation = await createConversation(clients);
  if (conversation === undefined) return;
  clients.conversations.push(conversation);
  const turn = () =>
    clients.ask({
      account,
      model: random.of(['alpha', 'beta'] as const),
      dialect: 'responses',
      isStream: random.chance(0.5),
      isStored: true,
      conversation,
      ...(random.chance(0.1) && { leavesAfterMs: random.skewed(1, 4_000) }),
    });
  for (let turns = random.between(2, MAX_TURNS); turns > 0; turns--) {
    const isTwice = random.chance(0.3);
    await Promise.all(isTwice ? [turn(), simulation.sleep(random.skewed(1, 500)).then(turn)] : [turn()]);
    await simulation.sleep(random.skewed(1, 1_500), 'client pauses');
  }
}

async function createConversation(clients: Clients): Promise<string | undefined> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { status, received, ending } = await clients.call(account, {
      method: 'POST',
      path: '/v1/conversations',
      headers: {},
      body: {},
    });
    if (status === 200 && ending === 'whole') return (JSON.parse(received) as { id: string }).id;
    await clients.simulation.sleep(1_000, 'client pauses');
  }
  return undefined;
}
