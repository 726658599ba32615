import { Refusal } from '../../base/errors/refusal.ts';
import { parseRefusal } from './kept-refusal.ts';
import { type LookParts, lookThere } from './look-at-log.ts';
import type { Recording } from './recording.ts';
import type { RecordedBody, RecordedHead } from './recording-options.ts';
import type { RecordedAnswer, RecordingStore } from './recording-store.ts';

type FoundStream = { head: RecordedHead };
type FoundWhole = { head: RecordedHead; body: RecordedBody; backgroundId: string | null };

/** An earlier answer: a stream that has begun, or a whole answer. */
export type FoundRecording = FoundStream | FoundWhole;

type Finding = FoundRecording | Refusal | undefined;

/** The parts of the program with which earlier answers are found. */
export type FindParts = Omit<LookParts, 'store'> & {
  store: Pick<RecordingStore, 'find' | 'follow' | 'loadParts'>;
};

/**
 * Waits until an earlier answer can be given again. `recording` is set if this process makes the answer.
 * Returns undefined if the answer is lost.
 */
export const findRecording = (
  row: RecordedAnswer,
  recording: Recording | undefined,
  parts: FindParts,
): Promise<Finding> => (recording ? findHere(row, recording, parts) : findThere(row, parts));

async function findHere(row: RecordedAnswer, recording: Recording, parts: FindParts): Promise<Finding> {
  const head = await recording.head.promise;
  if (recording.isBackground) return findThere(row, parts);
  const hasHead = head !== undefined && !(head instanceof Refusal);
  if (hasHead && isStream(head)) return { head };
  await recording.ended;
  if (!hasHead) return head;
  const { body } = recording;
  return body === undefined ? undefined : { head, body, backgroundId: null };
}

/**
 * A stream is joined once its process has shown that it lives, so that a retry after a crash is made anew and
 * gets no half answer.
 */
async function findThere({ requestId, heldUntil }: RecordedAnswer, parts: FindParts): Promise<Finding> {
  const { store } = parts;
  const look = lookThere(requestId, parts);
  for (;;) {
    const { state, parts: visible, changed } = await look();
    const row = await store.find(requestId);
    if (!row || state === 'lost') return undefined;
    if (row.failure !== null) return parseRefusal(row.failure);
    const head = row.head === null ? undefined : (JSON.parse(row.head) as RecordedHead);
    const lives = row.heldUntil > heldUntil || state === 'ended';
    if (head && isStream(head) && lives) return { head };
    if (state === 'ended') {
      const [part] = await store.loadParts(requestId, { frame: 0, parts: visible, from: 0 });
      return head && part && { head, body: part.text, backgroundId: row.backgroundId };
    }
    await changed;
  }
}

const isStream = ({ type }: RecordedHead): boolean => type.startsWith('text/event-stream');
