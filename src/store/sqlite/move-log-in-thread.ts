import { Database } from 'bun:sqlite';

/**
 * The program of the thread that moves the log into the database.
 * It flushes both files, and no other work waits for that.
 */
declare const self: Worker;

export type MoveOrder = { path: string } | 'end';
/** The lengths in pages. `busy` is 1 if some pages could not be moved. */
export type MovedLog = { busy: number; log: number; checkpointed: number };

let database: Database | undefined;

function move(path: string): MovedLog | undefined {
  try {
    database ??= new Database(path, { readwrite: true });
    return database.query('PRAGMA wal_checkpoint(PASSIVE)').get() as MovedLog;
  } catch {
    return undefined; // Writers meet and report the same problem.
  }
}

self.onmessage = ({ data }: MessageEvent<MoveOrder>) => {
  if (data === 'end') database?.close();
  self.postMessage(data === 'end' ? undefined : move(data.path));
};
