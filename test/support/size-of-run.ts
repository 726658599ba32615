import { isFull } from './is-full.ts';
import { isLong } from './is-long.ts';

/** Returns the number of inputs for this run: the long run, a full run or an ordinary one. */
export function sizeOfRun({ long, full, ordinary }: Record<'long' | 'full' | 'ordinary', number>): number {
  if (isLong) return long;
  return isFull ? full : ordinary;
}
