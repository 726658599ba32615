/**
 * Texts that a store must return unchanged. NUL is not included, since Postgres does not support it in text.
 */
export const textSamples = [
  '',
  ' spaces kept ',
  'quote \' double " back \\ percent % semicolon ; -- comment',
  'Zoë Ångström, 北京, Ελλάδα, हिन्दी, עברית',
  '👩‍👩‍👧 e\u0301 \u{1d11e} \u{10ffff} \ufeff',
  'tab\tline\nreturn\rescape\u001b',
  'long '.repeat(20_000),
];
