import type { Wire } from '../../translation/canonical/wire.ts';
import type { ConfigProblem } from '../config/config-problem.ts';
import { PutTogether } from '../config/put-together.ts';
import type { FileContents } from './file-contents.ts';
import type { ConfigOrigin, Problems } from './read-snapshot.ts';

export type ReadOrder = { kind: 'read'; origin: ConfigOrigin; spoken: ReadonlySet<Wire> } | { kind: 'next' };
export type ReadAnswer =
  | { kind: 'problems'; problems: ConfigProblem[] }
  | { kind: 'part'; text: string }
  | { kind: 'end' }
  | { kind: 'failed'; message: string };

export type ReadThread = Pick<
  Worker,
  'postMessage' | 'terminate' | 'unref' | 'onmessage' | 'onerror' | 'addEventListener'
>;

const startThread = (): ReadThread =>
  new Worker(new URL('./read-contents-in-thread.ts', import.meta.url).href);

/** The timeout of the thread. The largest file, 5 MB of models, takes 5 s on an idle core. */
const TIMEOUT_MS = 120_000;

type Reading = {
  origin: ConfigOrigin;
  spoken: ReadonlySet<Wire>;
  start?: () => ReadThread;
  timeoutMs?: number;
};

/**
 * Reads and checks a configuration in a temporary thread. A file with 5,000 models takes seconds, in which
 * the event loop would serve no requests.
 */
export async function readContents(reading: Reading): Promise<FileContents | Problems> {
  const { origin, spoken, start = startThread, timeoutMs = TIMEOUT_MS } = reading;
  const unread = (why: string): Problems => ({
    problems: [{ file: origin.file, line: null, column: null, field: '', message: `cannot be read: ${why}` }],
  });
  let thread: ReadThread;
  try {
    thread = start();
  } catch (error) {
    return unread(String(error));
  }
  thread.unref();
  const lost = Promise.withResolvers<ReadAnswer>();
  const lose = (why: string) => lost.resolve({ kind: 'problems', ...unread(why) });
  const timer = setTimeout(() => lose(`it took longer than ${timeoutMs / 1_000} s`), timeoutMs);
  thread.onerror = (event) => {
    event.preventDefault();
    lose(event.message);
  };
  thread.addEventListener('close', () => lose('its thread ended'));
  const ask = (order: ReadOrder): Promise<ReadAnswer> => {
    const { promise, resolve } = Promise.withResolvers<ReadAnswer>();
    thread.onmessage = ({ data }) => resolve(data);
    thread.postMessage(order);
    return Promise.race([promise, lost.promise]);
  };
  // The variables are copied, since `process.env` is not a plain object.
  const plain = { ...origin, environment: { ...origin.environment } };
  try {
    return await takeAll(ask, { kind: 'read', origin: plain, spoken });
  } finally {
    clearTimeout(timer);
    thread.terminate();
  }
}

async function takeAll(
  ask: (order: ReadOrder) => Promise<ReadAnswer>,
  first: ReadOrder,
): Promise<FileContents | Problems> {
  const whole = new PutTogether();
  let answer = await ask(first);
  while (answer.kind === 'part') {
    whole.add(answer.text);
    // Without a turn of the event loop, parts that have arrived would be read in a row and delay requests.
    await new Promise((resolve) => setImmediate(resolve));
    answer = await ask({ kind: 'next' });
  }
  if (answer.kind === 'problems') return { problems: answer.problems };
  if (answer.kind === 'failed') throw new Error(answer.message);
  return whole.value as FileContents;
}
