import type { Draw } from './draw.ts';

/**
 * JSON texts of values that are rarely where they turn up.
 * Texts, since some of them are no value that could be written again.
 */
const fixed = [
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1',
  '-0',
  '1.5',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '123456789012345678901234567890',
  '1e15',
  '4294967296',
  '-2147483649',
  '0.1',
  '1.0',
  '1E+2',
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udfff x"',
  '"\u2028"',
  '"\\n"',
  '"NaN"',
  '"null"',
  '"stop"',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '{"":null}',
  '[{}]',
  '{"type":null}',
  '{"type":"text"}',
  '[1,"a",{}]',
  '{"__proto__":{"a":1}}',
  '{"constructor":1}',
  '{"toString":0,"length":-1}',
  '"__proto__"',
  '"constructor"',
  '"data:image/png;base64,AAAA"',
  '"https://a.example/x"',
  '"</script>"',
  '"\\r\\ndata: x"',
  '"🙂"',
  '"é̂̃"',
];

const nested = (depth: number, [open, close]: readonly [string, string]): string =>
  `${open.repeat(depth)}1${close.repeat(depth)}`;

const grown: readonly ((draw: Draw) => string)[] = [
  (draw) => JSON.stringify('x'.repeat(draw.of([300, 5_000, 70_000]))),
  (draw) => JSON.stringify('🙂 ä\n'.repeat(draw.between(1, 2_000))),
  (draw) =>
    nested(
      draw.of([5, 150, 201, 1_200]),
      draw.of([
        ['[', ']'],
        ['{"a":', '}'],
      ] as const),
    ),
  (draw) => `[${Array.from({ length: draw.between(2, 400) }, () => draw.of(fixed)).join(',')}]`,
  (draw) => String((draw.below(2) * 2 - 1) * draw.below(2 ** 31) * 10 ** draw.below(14)),
  (draw) =>
    `{${Array.from({ length: draw.between(1, 30) }, (_, at) => `"${at}":${draw.of(fixed)}`).join(',')}}`,
];

/** Draws one of the values. */
export const oddJson = (draw: Draw): string => (draw.chance(0.9) ? draw.of(fixed) : draw.of(grown)(draw));
