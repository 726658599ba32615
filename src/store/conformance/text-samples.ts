/** What a store must give back as it came. NUL is left out: Postgres has no text with it. */
export const textSamples = [
  '',
  ' spaces kept ',
  'quote \' double " back \\ percent % semicolon ; -- comment',
  'Zoë Ångström, 北京, Ελλάδα, हिन्दी, עברית',
  '👩‍👩‍👧 e\u0301 \u{1d11e} \u{10ffff} \ufeff',
  'tab\tline\nreturn\rescape\u001b',
  'long '.repeat(20_000),
];
