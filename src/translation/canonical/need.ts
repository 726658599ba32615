/** What a request may ask of a model beside text in and text out. */
export type Need = 'vision' | 'documents' | 'forced-tool-choice' | 'tools' | 'strict-format' | 'effort';

/** Where a request first asks for something: the full path of the field, and what it says there where that matters. */
export type NeedPlace = { path: string; value?: string };

/**
 * How a dialect's body is asked for each of them, without decoding it; what is not listed cannot be asked for in that dialect. Each is only
 * looked for where the model has not got it.
 */
export type NeedFinders = { readonly [N in Need]?: (body: Fields) => NeedPlace | undefined };

type Fields = Readonly<Record<string, unknown>>;
