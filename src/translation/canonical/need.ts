import type { Fields } from '../../base/schema/json-type.ts';

/** Abilities that a request can require of a model beyond text input and output. */
export type Need = 'vision' | 'documents' | 'forced-tool-choice' | 'tools' | 'strict-format' | 'effort';

/**
 * The place where a request first requires something: the full path of the field, and its value if that
 * matters.
 */
export type NeedPlace = { path: string; value?: string };

/**
 * For each need, a function that finds it in a dialect's body without decoding. A dialect that cannot express
 * a need has no finder for it. A finder runs only if the model lacks the ability.
 */
export type NeedFinders = { readonly [N in Need]?: (body: Fields) => NeedPlace | undefined };
