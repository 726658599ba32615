import type { Clock } from '../../base/lib/clock.ts';
import { entryIdOf } from '../../money/ledger/entry-id.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { LogSight } from './follow-log.ts';
import type { Recording } from './recording.ts';
import type { RecordedAnswer, RecordingStore } from './recording-store.ts';

const LOOK_EVERY_MS = 100;
/** Readers in other processes report this often that they follow the answer. */
const REPORT_EVERY_MS = 1_000;
/** The time for which such a report is valid. */
const REPORTED_FOR_MS = 3_000;

/** The parts of the program that know the state of a log. */
export type LookParts = {
  store: Pick<RecordingStore, 'find' | 'follow'>;
  ledger: Pick<LedgerStore, 'findEntry'>;
  clock: Clock;
  /** Names this process as the holder of what it makes. */
  holder: string;
};

/**
 * Reports whether an answer that was kept is charged. Without its charge it is made anew. An answer that this
 * process has ended is charged, even if the entry is still in the spool.
 */
export const isCharged = async (
  { requestId, backgroundId, holder }: RecordedAnswer,
  own: Pick<LookParts, 'ledger' | 'holder'>,
): Promise<boolean> =>
  backgroundId !== null ||
  holder === own.holder ||
  (await own.ledger.findEntry(entryIdOf(requestId))) !== undefined;

/**
 * Reports whether the process that made an answer has died, or has lost it. `row` is of an answer that does
 * not run in this process.
 */
export const isAbandoned = (
  row: RecordedAnswer,
  { clock, holder }: Pick<LookParts, 'clock' | 'holder'>,
): boolean => row.holder === holder || row.heldUntil < clock.now();

/** Looks at a log that this process writes. */
export const lookHere =
  ({ log }: Recording) =>
  async (): Promise<LogSight> =>
    log.sight;

/** Looks at a log that another process writes or has written. */
export function lookThere(requestId: string, own: LookParts): () => Promise<LogSight> {
  const { store, clock } = own;
  let reportedAt = 0;
  return async () => {
    const changed = Bun.sleep(LOOK_EVERY_MS);
    const row = await store.find(requestId);
    if (!row) return { parts: 0, state: 'lost', changed };
    const { parts, state } = row;
    if (state === 'failed') return { parts, state: 'ended', changed };
    if (state === 'made' && (await isCharged(row, own))) return { parts, state: 'ended', changed };
    if (isAbandoned(row, own)) return { parts: beforeClosing(row), state: 'lost', changed };
    const now = clock.now();
    if (now - reportedAt >= REPORT_EVERY_MS) {
      reportedAt = now;
      await store.follow(requestId, now + REPORTED_FOR_MS);
    }
    return { parts: beforeClosing(row), state: 'open', changed };
  };
}

const beforeClosing = ({ state, parts }: RecordedAnswer): number => (state === 'made' ? parts - 1 : parts);
