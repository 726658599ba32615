const MAX_TRIES = 5;
const PAUSE_MS = 20;

/** Repeats a transaction that Postgres rolled back for the sake of another one. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isRolledBack = /^40/.test(String((error as { code?: unknown }).code));
      if (!isRolledBack || tries === MAX_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * tries));
    }
  }
}
