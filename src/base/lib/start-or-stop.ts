/** What was started before is stopped again when the next thing cannot be: left alone it would keep the process alive. */
export async function startOrStop<T>(start: () => T | Promise<T>, stop: () => Promise<unknown>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    await stop();
    throw error;
  }
}
