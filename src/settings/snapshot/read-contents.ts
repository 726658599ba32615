import type { Wire } from '../../translation/canonical/wire.ts';
import { PutTogether } from '../config/put-together.ts';
import type { FileContents } from './file-contents.ts';
import type { ConfigOrigin, Problems } from './read-snapshot.ts';
import { ReadingThread } from './reading-thread.ts';

const startWorker = (): Worker => new Worker(new URL('./read-contents-in-thread.ts', import.meta.url).href);

/** The timeout of the thread. The largest file, 5 MB of models, takes 5 s on an idle core. */
const TIMEOUT_MS = 120_000;

export type ContentsRequest = {
  origin: ConfigOrigin;
  /** The wires that the gateway speaks. */
  spoken: ReadonlySet<Wire>;
  /** Starts the thread. */
  start?: () => Worker;
  timeoutMs?: number;
};

/**
 * Reads and checks a configuration in a temporary thread. A file with 5,000 models takes seconds, in which
 * the event loop would serve no requests.
 */
export async function readContents(request: ContentsRequest): Promise<FileContents | Problems> {
  const { start = startWorker, timeoutMs = TIMEOUT_MS } = request;
  let thread: ReadingThread;
  try {
    thread = new ReadingThread(start(), timeoutMs);
  } catch (error) {
    return unread(request, String(error));
  }
  try {
    return await readIn(thread, request);
  } finally {
    thread.end();
  }
}

async function readIn(thread: ReadingThread, request: ContentsRequest): Promise<FileContents | Problems> {
  const { origin, spoken } = request;
  const whole = new PutTogether();
  // The variables are copied, since `process.env` is not a plain object.
  const plainOrigin = { ...origin, environment: { ...origin.environment } };
  let answer = await thread.ask({ kind: 'read', origin: plainOrigin, spoken });
  while (answer.kind === 'part') {
    whole.add(answer.text);
    // Without a turn of the event loop, parts that have arrived would be read in a row and delay requests.
    await new Promise((resolve) => setImmediate(resolve));
    answer = await thread.ask({ kind: 'next' });
  }
  if (answer.kind === 'lost') return unread(request, answer.why);
  if (answer.kind === 'problems') return { problems: answer.problems };
  if (answer.kind === 'failed') throw new Error(answer.message);
  return whole.value as FileContents;
}

const unread = ({ origin }: ContentsRequest, why: string): Problems => ({
  problems: [{ file: origin.file, line: null, column: null, field: '', message: `cannot be read: ${why}` }],
});
