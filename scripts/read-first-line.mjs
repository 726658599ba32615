import { createInterface } from 'node:readline';

/** Reads the first line of a stream. Returns undefined if the stream ends without one. */
export async function readFirstLine(stream) {
  const lines = createInterface({ input: stream });
  const { value } = await lines[Symbol.asyncIterator]().next();
  lines.close();
  return value;
}
