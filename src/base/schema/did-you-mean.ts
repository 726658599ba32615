import { nearestName } from './nearest-name.ts';
import { printable } from './printable.ts';

/**
 * Returns `; did you mean 'x'?` if a known name is close to the given one, else an empty text.
 *
 * @example
 * didYouMean('modle', ['model', 'messages']); // → "; did you mean 'model'?"
 */
export function didYouMean(name: string, names: Iterable<string>): string {
  const nearest = nearestName(name, [...names]);
  return nearest === undefined ? '' : `; did you mean '${printable(nearest)}'?`;
}
