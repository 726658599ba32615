export type ProgressProps = {
  /** Names the measured value for screen readers. */
  label: string;
  value: number;
  most: number;
};

const NEARLY = 0.8;

/** A share of a limit. Its colour changes when the limit is near, and the text next to it has the numbers. */
export function Progress({ label, value, most }: ProgressProps) {
  const share = most > 0 ? value / most : 1;
  const tone = share >= 1 ? 'bad' : share >= NEARLY ? 'warning' : 'good';
  return <progress class={`progress ${tone}`} aria-label={label} value={Math.min(1, share)} max={1} />;
}
