import type { Field } from '../model/field.ts';
import { readStops } from './read-stops.ts';

const MAX_STOPS = 4;

/** Reads one stop sequence, or a list of them. */
export const readOpenaiStops = (stop: Field): string[] =>
  stop.isText() ? [stop.text()] : readStops(stop, MAX_STOPS);
