import { Database } from 'bun:sqlite';

/** The program of the thread that moves what is in the log into the database: it flushes both, and nobody else waits for that. */
declare const self: Worker;

export type MoveOrder = { path: string } | 'end';
/** In pages. `busy`: not all could be moved. */
export type MovedLog = { busy: number; log: number; checkpointed: number };

let database: Database | undefined;

function move(path: string): MovedLog | undefined {
  try {
    database ??= new Database(path, { readwrite: true });
    return database.query('PRAGMA wal_checkpoint(PASSIVE)').get() as MovedLog;
  } catch {
    return undefined; // whoever writes meets the same problem, and tells of it
  }
}

self.onmessage = ({ data }: MessageEvent<MoveOrder>) => {
  if (data === 'end') database?.close();
  self.postMessage(data === 'end' ? undefined : move(data.path));
};
