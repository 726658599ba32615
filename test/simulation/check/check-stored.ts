import { countUp } from '../../../src/base/lib/testing/count-up.ts';
import { type Asked, isAnswered, responseIdOf } from '../clients/asked.ts';
import type { World } from '../world.ts';

const textOf = (body: string): string[] =>
  [...body.matchAll(/"text": ?"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text!);

/**
 * Reports whether a stored response has the text of the answer. A stream also has an empty text at its
 * beginning.
 */
const hasSameText = ({ marker, record }: Asked, received: string): boolean => {
  const [text = ''] = textOf(received);
  return text.startsWith(marker) && textOf(record.handed).includes(text);
};

/** Checks that a response that was answered as stored can be read, with the text that the client got. */
export async function checkStored({ clients, simulation, counts }: World): Promise<void> {
  for (const one of clients.asked) {
    if (!one.isStored || !isAnswered(one) || !/"store": ?true/.test(one.record.handed)) continue;
    const id = responseIdOf(one);
    const { status, received } = await clients.read(one.account, `/v1/responses/${id}`);
    countUp(counts, 'stored');
    if (status !== 200) simulation.fail(`the stored response ${id} of ${one.marker} answered ${status}`);
    else if (!hasSameText(one, received))
      simulation.fail(`the stored response ${id} has another text: ${received.slice(0, 300)}`);
  }
}
