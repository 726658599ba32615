import { closeSync as realClose, openSync as realOpen } from 'node:fs';
import { stage } from '../kernel/stage.ts';
import { flushError } from './flush-error.ts';

export * from 'node:fs';

/** The paths of open files, since a flush names a descriptor. */
const paths = new Map<number, string>();

export function openSync(...values: Parameters<typeof realOpen>): number {
  const file = realOpen(...values);
  paths.set(file, String(values[0]));
  if (!stage.isEmpty) stage.simulation.host.files.add(file);
  return file;
}

export function closeSync(file: number): void {
  paths.delete(file);
  if (!stage.isEmpty) stage.simulation.host.files.delete(file);
  realClose(file);
}

type SyncCallback = (error: Error | null) => void;

/** A flush takes simulated time. */
export function fdatasync(file: number, done: SyncCallback): void {
  const { simulation } = stage;
  const { disk } = simulation.host;
  if (!disk) throw new Error('a host without a disk flushes a file');
  const end = disk.beginFlush(paths.get(file) ?? '');
  simulation.after(disk.delayMs(), 'flushed', () => {
    if (disk.refusesFlushes) return done(flushError('fsync'));
    end();
    simulation.pass('log flushed');
    done(null);
  });
}

export const fsync = fdatasync;
