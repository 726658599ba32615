const WIDTH = 30;
const FULL = '█';
const EMPTY = '░';

export type Progress = { done: number; size: number };

/** Formats a bar like `██████░░░░ 60 %`. The bar is full only when everything is done. */
export function formatProgress({ done, size }: Progress): string {
  const share = size === 0 ? 1 : done / size;
  const filled = Math.floor(share * WIDTH);
  return `${FULL.repeat(filled)}${EMPTY.repeat(WIDTH - filled)} ${Math.floor(share * 100)} %`;
}

/** Formats a duration like `2 h 5 min`, `3 min 20 s` or `4 s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
