import type { Field } from '../../model/field.ts';

/** Reports whether a field has another value than none and 0, which vendors take as their default. */
export const isSet = ({ value }: Field): boolean => value !== undefined && value !== null && value !== 0;
