/** The characters of each text that a page shows. */
const SHOWN = 6_000;
const SHOWN_OF_DATA = 60;
/** The values that a page shows of one list or object. */
const MAX_VALUES = 500;

/** A data URL or another long text without spaces, which nobody reads. */
const DATA = /^(data:|[A-Za-z0-9+/=_-]{512})/;

export type Shortened = { value: unknown; isCut: boolean };

/** Returns JSON data with long texts cut, so that a page never gets an image or a document whole. */
export function shortenTexts(value: unknown): Shortened {
  const state = { isCut: false };
  return { value: shortened(value, state), isCut: state.isCut };
}

function shortened(value: unknown, state: { isCut: boolean }): unknown {
  if (typeof value === 'string') return shortText(value, state);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return few(value, state).map((item) => shortened(item, state));
  const members = few(Object.entries(value), state);
  return Object.fromEntries(members.map(([name, member]) => [name, shortened(member, state)]));
}

function few<T>(values: readonly T[], state: { isCut: boolean }): readonly T[] {
  if (values.length <= MAX_VALUES) return values;
  state.isCut = true;
  return values.slice(0, MAX_VALUES);
}

function shortText(text: string, state: { isCut: boolean }): string {
  const most = DATA.test(text) ? SHOWN_OF_DATA : SHOWN;
  if (text.length <= most) return text;
  state.isCut = true;
  return `${text.slice(0, most).toWellFormed()}… (${text.length - most} more characters)`;
}
