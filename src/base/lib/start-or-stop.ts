/** Starts a part. If the start fails, stops an earlier part, which would otherwise keep the process alive. */
export async function startOrStop<T>(start: () => T | Promise<T>, stop: () => Promise<unknown>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    // A stop that fails too must not hide the reason.
    await stop().catch(() => {});
    throw error;
  }
}
