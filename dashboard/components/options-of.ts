import { keysOf } from '../../src/base/lib/records.ts';
import type { Option } from './select.tsx';

/** Returns the options of a choice, in the order of their labels. */
export const optionsOf = <Value extends string>(labels: Readonly<Record<Value, string>>): Option<Value>[] =>
  keysOf(labels).map((value) => ({ value, label: labels[value] }));
