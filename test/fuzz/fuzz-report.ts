/** One input whose outcome breaks a promise. `input` and the seed draw it again. */
export type Finding = { input: number; problem: string; about: unknown };

export type FuzzReport = {
  inputs: number;
  perSecond: number;
  /** Counts the outcomes: a status, or the way in which a stream ended. */
  outcomes: Record<string, number>;
  findings: Finding[];
  /** Faults of the server after all inputs. */
  afterwards: string[];
};

export type FuzzOptions = {
  seed: number;
  inputs: number;
  /** The number of the first of them. */
  from?: number;
  onInput?: (input: number) => void;
};

/** Runs the inputs, several at a time, until they are done or too many have failed. */
export async function runInputs(
  { inputs, from = 0, onInput }: FuzzOptions,
  workers: number,
  tryInput: (input: number) => Promise<void>,
  hasFailed: () => boolean,
): Promise<void> {
  let next = from;
  const work = async () => {
    while (next < from + inputs && !hasFailed()) {
      const input = next++;
      onInput?.(input - from);
      await tryInput(input);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
}
