type NumberSchema = Readonly<Record<string, unknown>>;

/** Returns the number that a schema has under a name. */
export const numberAt = (schema: NumberSchema, name: string): number | undefined =>
  typeof schema[name] === 'number' ? schema[name] : undefined;

/**
 * Samples a number within the bounds of a schema. The candidates are the schema's unit, the multiples of the
 * unit next to the lower bound, and the middle of the bounds. If no candidate fits, the first multiple is
 * returned.
 */
export function sampleNumber(schema: NumberSchema, step: number): number {
  const unit = numberAt(schema, 'multipleOf') ?? step;
  const bounds = boundsOf(schema);
  const { low, high } = bounds;
  const start = Number.isFinite(low) ? low : Math.min(high, unit);
  const first = Math.ceil(start / unit) * unit;
  const candidates = [unit, first, first + unit, first - unit, (low + high) / 2];
  return candidates.find((value) => isWithin(value, bounds)) ?? first;
}

type Bounds = { low: number; high: number; excludes: (value: number) => boolean };

/** Returns the narrower of the two bounds on each side. */
function boundsOf(schema: NumberSchema): Bounds {
  const above = numberAt(schema, 'exclusiveMinimum') ?? -Infinity;
  const under = numberAt(schema, 'exclusiveMaximum') ?? Infinity;
  return {
    low: Math.max(numberAt(schema, 'minimum') ?? -Infinity, above),
    high: Math.min(numberAt(schema, 'maximum') ?? Infinity, under),
    excludes: (value) => value === above || value === under,
  };
}

const isWithin = (value: number, { low, high, excludes }: Bounds): boolean =>
  value >= low && value <= high && !excludes(value);
