import type { Field } from '../model/field.ts';

/** Reads a list of stop sequences, of which the vendor takes at most `limit`. */
export function readStops(stops: Field, limit: number): string[] {
  const texts = stops.items().map((stop) => stop.text());
  return texts.length <= limit ? texts : stops.fail(`at most ${limit} stop sequences are supported`);
}
