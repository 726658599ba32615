import { lookUp } from '../lib/records.ts';
import type { Path } from '../schema/format-path.ts';

/** A list or an object. */
const isHolder = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/**
 * Returns the value at a path, or undefined if there is none.
 *
 * @example
 * valueAt({ tools: [{ name: 'get_time' }] }, ['tools', 0, 'name']); // → 'get_time'
 */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce((holder, step) => (isHolder(holder) ? lookUp(holder, String(step)) : undefined), value);
