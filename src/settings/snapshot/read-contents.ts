import type { Wire } from '../../translation/canonical/wire.ts';
import { Reassembly } from '../config/reassembly.ts';
import type { FileContents } from './file-contents.ts';
import type { ConfigOrigin, Problems } from './read-snapshot.ts';
import { ReadingThread } from './reading-thread.ts';

/** The timeout of the thread. The largest file, 5 MB of models, takes 5 s on an idle core. */
const TIMEOUT_MS = 120_000;

const startReading = (): ReadingThread =>
  new ReadingThread(new Worker(new URL('./read-contents-in-thread.ts', import.meta.url).href), TIMEOUT_MS);

export type ContentsRequest = {
  origin: ConfigOrigin;
  /** The wires that the gateway supports. */
  supportedWires: ReadonlySet<Wire>;
};

/**
 * Reads and checks a configuration in a temporary thread. A file with 5,000 models takes seconds, in which
 * the event loop would serve no requests.
 */
export async function readContents(
  request: ContentsRequest,
  start = startReading,
): Promise<FileContents | Problems> {
  let thread: ReadingThread;
  try {
    thread = start();
  } catch (error) {
    return unreadable(request, String(error));
  }
  try {
    return await readIn(thread, request);
  } finally {
    thread.end();
  }
}

async function readIn(thread: ReadingThread, request: ContentsRequest): Promise<FileContents | Problems> {
  const { origin, supportedWires } = request;
  const contents = new Reassembly();
  // The variables are copied, since `process.env` is not a plain object.
  const plainOrigin = { ...origin, environment: { ...origin.environment } };
  let answer = await thread.ask({ kind: 'read', origin: plainOrigin, supportedWires });
  while (answer.kind === 'part') {
    contents.add(answer.text);
    // Without a turn of the event loop, parts that have arrived would be read in a row and delay requests.
    await new Promise((resolve) => setImmediate(resolve));
    answer = await thread.ask({ kind: 'next' });
  }
  if (answer.kind === 'lost') return unreadable(request, answer.why);
  if (answer.kind === 'problems') return { problems: answer.problems };
  if (answer.kind === 'failed') throw new Error(answer.message);
  return contents.value as FileContents;
}

const unreadable = ({ origin }: ContentsRequest, why: string): Problems => ({
  problems: [{ file: origin.file, line: null, column: null, field: '', message: `cannot be read: ${why}` }],
});
