import { percentileOf } from '../percentile-of.ts';

const TIMES = 5;
/** The bound on the median time of each answer. */
const LIMIT_MS = 300;

type Counted = { requests: number };

/** Asks questions of a store several times each, and prints how long the answers take. */
export class AnswerTimes {
  #areFast = true;

  /** Asks one question, and prints the median and the longest time. */
  async time(store: string, question: string, ask: () => Promise<Counted>): Promise<void> {
    const taken: number[] = [];
    let requests = 0;
    const before = process.cpuUsage();
    for (let time = 0; time < TIMES; time++) {
      const begun = performance.now();
      ({ requests } = await ask());
      taken.push(performance.now() - begun);
    }
    const { user, system } = process.cpuUsage(before);
    const cpuMs = (user + system) / 1_000 / TIMES;
    const median = percentileOf(taken, 0.5);
    const longest = Math.max(...taken);
    this.#areFast &&= median < LIMIT_MS;
    const [shownMedian, shownLongest] = [median, longest].map((ms) => ms.toFixed(0).padStart(5));
    console.log(
      `${store.padEnd(9)} ${question.padEnd(38)} ${shownMedian} ms (longest ${shownLongest}), ` +
        `${cpuMs.toFixed(0)} ms of CPU time here, ${requests} requests`,
    );
  }

  /** Prints whether all medians were within the limit. Returns the exit code. */
  conclude(): number {
    console.log(this.#areFast ? `every answer within ${LIMIT_MS} ms` : `some answers over ${LIMIT_MS} ms`);
    return this.#areFast ? 0 : 1;
  }
}
