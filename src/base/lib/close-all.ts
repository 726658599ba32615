/** Ends a part. */
export type Closing = () => unknown;

/** Ends the parts one after another, even if some of them fail. The first failure is thrown at the end. */
export async function closeAll(closings: readonly Closing[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closings)
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}
