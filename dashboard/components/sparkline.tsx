const WIDTH = 120;
const HEIGHT = 32;

/** The course of a number without axes. It is decoration next to the number. */
export function Sparkline({ values }: { values: readonly number[] }) {
  if (values.length < 2)
    return <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" />;
  const highest = Math.max(...values, 0) || 1;
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * WIDTH;
    return `${x.toFixed(1)},${(HEIGHT - 2 - (Math.max(value, 0) / highest) * (HEIGHT - 4)).toFixed(1)}`;
  });
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
      <polyline points={points.join(' ')} />
    </svg>
  );
}
