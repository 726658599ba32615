import { countUp } from '../../../src/base/lib/testing/count-up.ts';
import { isAnswered, isWholeAnswer, refusalOf } from '../clients/asked.ts';
import type { World } from '../world.ts';

/** Checks that every call has an end, and that answers are what the vendors sent. */
export function checkAnswers({ clients, simulation, watch, counts }: World): void {
  for (const asked of clients.asked) {
    const { record, marker } = asked;
    const outcome = isAnswered(asked) ? 'answered' : `${record.status ?? record.ending}`;
    countUp(counts, outcome);
    const code = refusalOf(asked);
    if (code !== undefined) countUp(counts, code);
    if (record.ending === undefined) simulation.fail(`${marker} has no end`);
    if (record.status !== undefined && record.status >= 500 && ![502, 503, 504, 529].includes(record.status))
      simulation.fail(`${marker} was answered with ${record.status}: ${record.handed.slice(0, 300)}`);
    if (record.ending === 'whole' && isAnswered(asked) && !isWholeAnswer(asked, record.received))
      simulation.fail(`${marker} arrived incomplete`);
    if (isAnswered(asked) && !record.handed.includes(marker)) simulation.fail(`${marker} got another answer`);
    if (
      isAnswered(asked) &&
      !watch.callsOf(marker).some(({ behaviour }) => !/^(error|silent|no JSON)/.test(behaviour))
    )
      simulation.fail(`${marker} was answered, and no vendor has answered it`);
  }
}
