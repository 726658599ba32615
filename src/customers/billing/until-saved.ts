const MAX_ATTEMPTS = 8;

/** Repeats an attempt that resolves to `conflict`, which means that another writer was faster. */
export async function untilSaved<Result>(
  what: string,
  attempt: () => Promise<Result | 'conflict'>,
): Promise<Result> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const result = await attempt();
    if (result !== 'conflict') return result;
  }
  throw new Error(`Other writers keep changing ${what}.`);
}
