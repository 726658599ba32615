/** Starts something, and stops what was started before it if that fails. Otherwise the earlier part would keep the process alive. */
export async function startOrStop<T>(start: () => T | Promise<T>, stop: () => Promise<unknown>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    await stop();
    throw error;
  }
}
