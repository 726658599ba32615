import type { Tone } from './badge.tsx';

type ProgressProps = {
  /** Names the measured value for screen readers. */
  label: string;
  value: number;
  limit: number;
};

const NEARLY = 0.8;

/** A share of a limit. Its colour changes when the limit is near, and the text next to it has the numbers. */
export function Progress({ label, value, limit }: ProgressProps) {
  const share = limit > 0 ? value / limit : 1;
  return (
    <progress class={`progress ${toneOf(share)}`} aria-label={label} value={Math.min(1, share)} max={1} />
  );
}

function toneOf(share: number): Tone {
  if (share >= 1) return 'bad';
  return share >= NEARLY ? 'warning' : 'good';
}
