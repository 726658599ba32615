import { type Asked, isAnswered, requestIdOf } from '../clients/asked.ts';
import { type World, wasStoreWell } from '../world.ts';

type Item = { type: string; role?: string; content?: { text?: string }[] };

/** An answer ends before its conversation is free. */
const MAX_LATE_MS = 500;
/** A crash, or a store that is away, blocks a conversation this long. */
const MAX_HELD_MS = 65_000;

/** Reports whether the answer says that it was not stored, as it does if little space is free. */
const isUnstored = ({ record }: Asked): boolean => /"store":\s?false/.test(record.handed);

/** The first word of a text names the request. */
const markerOf = ({ content }: Item): string => content?.[0]?.text?.split(' ')[0] ?? '';

/**
 * Checks that a conversation has the input and the answer of each of its requests that was charged in full,
 * in the order of their charges, and nothing else. The answer and its charge are written in one transaction.
 */
export async function checkConversations(world: World): Promise<void> {
  const { clients, simulation, reader, counts } = world;
  if (clients.conversations.length === 0) return;
  const charges = await reader.charges();
  const order = new Map(charges.map(({ requestId }, index) => [requestId, index]));
  const isWhole = new Map(charges.map(({ requestId, outcome }) => [requestId, outcome === 'complete']));
  for (const id of clients.conversations) {
    const turns = clients.asked.filter(({ conversation }) => conversation === id);
    const placeOf = (one: (typeof turns)[number]) => order.get(requestIdOf(one) ?? '');
    const charged = turns
      .filter((one) => placeOf(one) !== undefined && !isUnstored(one))
      .sort((one, other) => placeOf(one)! - placeOf(other)!);
    const path = `/v1/conversations/${id}/items?order=asc&limit=100`;
    const { status, received } = await clients.read('unlimited', path);
    if (status !== 200) {
      simulation.fail(`the conversation ${id} answered ${status}: ${received.slice(0, 300)}`);
      continue;
    }
    const { data } = JSON.parse(received) as { data: Item[] };
    const named = data.map((item) => `${item.role} ${markerOf(item)}`);
    // The answer to a client that leaves can be whole.
    const isThere = (one: Asked) =>
      isWhole.get(requestIdOf(one) ?? '') || named.includes(`assistant ${one.marker}`);
    const expected = charged
      .filter(isThere)
      .flatMap(({ marker }) => [`user ${marker}`, `assistant ${marker}`]);
    counts['turns'] = (counts['turns'] ?? 0) + charged.length;
    // A request without a head is known to no client.
    const unknown = new Set(
      turns.filter((one) => requestIdOf(one) === undefined).map(({ marker }) => marker),
    );
    const shown = named.filter((name) => !unknown.has(name.split(' ')[1]!));
    if (shown.join() !== expected.join())
      simulation.fail(`the conversation ${id} has ${named.join()} and not ${expected.join()}`);
    checkLocks(world, turns);
    for (const one of turns.filter((turn) => isAnswered(turn) && !isUnstored(turn)))
      if (!named.includes(`assistant ${one.marker}`))
        simulation.fail(`the answer of ${one.marker} is not in the conversation ${id}`);
  }
}

/** Checks that a request is refused only while another request adds to the conversation. */
function checkLocks(world: World, turns: readonly Asked[]): void {
  const { simulation } = world;
  for (const one of turns.filter(({ record }) => record.status === 409)) {
    const { startedAt, endedAt = simulation.now } = one.record;
    const other = turns.find(({ record, marker }) => {
      const until = record.endedAt ?? simulation.now;
      const isWell =
        record.ending === 'whole' && wasStoreWell(world, record.host, record.startedAt, until + MAX_LATE_MS);
      const lingers = isWell && record.host!.diedAt > until + MAX_LATE_MS ? MAX_LATE_MS : MAX_HELD_MS;
      // The gateway continues for a while after a client has left.
      const isBefore = record.startedAt < endedAt + MAX_LATE_MS;
      return marker !== one.marker && isBefore && until + lingers > startedAt;
    });
    if (!other) simulation.fail(`${one.marker} was refused, and nobody adds to its conversation`);
  }
}
