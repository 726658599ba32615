export type ProgressProps = {
  /** Names the measured value for screen readers. */
  label: string;
  value: number;
  limit: number;
};

const NEARLY = 0.8;

/** A share of a limit. Its colour changes when the limit is near, and the text next to it has the numbers. */
export function Progress({ label, value, limit }: ProgressProps) {
  const share = limit > 0 ? value / limit : 1;
  const tone = share >= 1 ? 'bad' : share >= NEARLY ? 'warning' : 'good';
  return <progress class={`progress ${tone}`} aria-label={label} value={Math.min(1, share)} max={1} />;
}
