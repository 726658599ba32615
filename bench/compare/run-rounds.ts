import type { ComparisonRun } from './comparison-run.ts';

/** A round is repeated if other processes use a larger share of the machine. */
const MAX_FOREIGN = 0.04;
const IDLE_CHECK_MS = 3_000;

const formatShare = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** Throws if other processes use the machine. */
export async function refuseLoadedMachine({ options, machine }: ComparisonRun): Promise<void> {
  machine.foreignShare();
  await Bun.sleep(IDLE_CHECK_MS);
  const share = machine.foreignShare();
  if (share <= MAX_FOREIGN || options.isLoadedAnyway) return;
  throw new Error(
    `other processes use ${formatShare(share)} of the machine, and at most ${formatShare(MAX_FOREIGN)} is allowed. ` +
      'Stop them, or try the benchmark with --loaded-anyway',
  );
}

/**
 * Runs rounds, and repeats each round in which other processes used the machine. Throws if there are more
 * repeated rounds than `count`.
 */
export async function runRounds<Figures>(
  run: ComparisonRun,
  count: number,
  runRound: (round: number) => Promise<Figures[]>,
): Promise<Figures[]> {
  const all: Figures[] = [];
  let repeats = 0;
  for (let round = 1; round <= count; ) {
    run.machine.foreignShare();
    const figures = await runRound(round);
    const share = run.machine.foreignShare();
    if (share > MAX_FOREIGN && !run.options.isLoadedAnyway) {
      repeats += 1;
      run.report(`other processes used ${formatShare(share)} of the machine: the round is repeated`);
      if (repeats > count) throw new Error('other processes keep using the machine');
      continue;
    }
    run.foreignShare = Math.max(run.foreignShare, share);
    all.push(...figures);
    round += 1;
  }
  return all;
}

/** Returns the systems in the order of a round, so that none is always measured first. */
export const inOrderOf = <System>(round: number, systems: readonly System[]): System[] => {
  const first = round % systems.length;
  return [...systems.slice(first), ...systems.slice(0, first)];
};
