import type { Path } from '../schema/format-path.ts';

/**
 * Returns the value at a path, or undefined if there is none.
 *
 * @example
 * valueAt({ tools: [{ name: 'get_time' }] }, ['tools', 0, 'name']); // → 'get_time'
 */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (holder, step) => (typeof holder === 'object' && holder !== null ? holder[step as never] : undefined),
    value,
  );
