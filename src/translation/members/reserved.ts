import type { Path } from '../../base/schema/format-path.ts';
import type { ReservedField } from '../canonical/reserved-field.ts';

/** A field that only providers whose row names it may get, and its place in a request. */
export type Reserved = { field: ReservedField; path: Path };
