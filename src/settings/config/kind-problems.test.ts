import { expect, test } from 'bun:test';
import { formatPath } from '../../base/schema/format-path.ts';
import { kindProblems } from './kind-problems.ts';
import { problemsOf as problemsOfText } from './testing/config-of.ts';

type Row = Parameters<typeof kindProblems>[0];

const row = (fields: Partial<Row>): Row => ({
  kind: 'chat',
  output_dimensions: null,
  context_window: null,
  pricing_usd_per_mtok: null,
  metered_usd: null,
  ...fields,
});
const problemsOf = (fields: Partial<Row>): string[] =>
  kindProblems(row(fields), []).map(({ path, message }) => `${formatPath(path)}: ${message}`);
const tokens = { context_window: 10, pricing_usd_per_mtok: { input: 1, output: 1, cached_input: null } };

test('a chat or an embedding model needs a window and prices of tokens only', () => {
  expect(problemsOf({})).toEqual(['context_window: is required', 'pricing_usd_per_mtok: is required']);
  expect(problemsOf(tokens)).toEqual([]);
  expect(problemsOf({ ...tokens, kind: 'embedding' })).toEqual([
    'output_dimensions: is required for an embedding model',
  ]);
  expect(problemsOf({ ...tokens, metered_usd: { per_request: 1 } })).toEqual([
    'metered_usd: is not for models of kind chat',
  ]);
});

test('a model of a metered endpoint has at most the prices of its kind', () => {
  for (const kind of ['image', 'speech', 'transcription', 'rerank', 'moderation'] as const)
    expect(problemsOf({ kind, metered_usd: { per_request: 1 } })).toEqual([]);
  expect(problemsOf({ kind: 'speech', metered_usd: { per_second: 1, per_million_characters: 1 } })).toEqual(
    [],
  );
  expect(problemsOf({ kind: 'rerank', metered_usd: { per_1000_documents: 1, per_second: 1 } })).toEqual([
    'metered_usd.per_second: is not for models of kind rerank',
  ]);
  expect(problemsOf({ kind: 'image', output_dimensions: 8 })).toEqual([
    'output_dimensions: is only for embedding models; this model is of kind image',
  ]);
});

test('only the last price of an image has no condition', () => {
  const problems = (per_image: NonNullable<Row['metered_usd']>['per_image']) =>
    problemsOf({ kind: 'image', metered_usd: { per_image: per_image! } });
  expect(problems([{ quality: 'high', usd: 2 }, { usd: 1 }])).toEqual([]);
  expect(problems([{ usd: 1 }])).toEqual([]);
  expect(problems([{ size: '1x1', usd: 2 }])).toEqual([
    'metered_usd.per_image[0]: must have neither size nor quality, because it is the last row',
  ]);
  expect(problems([{ usd: 2 }, { quality: 'high', usd: 1 }, { usd: 1 }])).toEqual([
    'metered_usd.per_image[1]: is never used, because the row at position 0 has neither size nor quality',
  ]);
});

test('a configuration is refused with the line and the unit of a metered price', () => {
  const text = 'catalog:\n  models:\n    - { id: m, kind: speech, metered_usd: { per_second: 11 } }\n';
  expect(problemsOfText(text)).toEqual([expect.stringMatching(/10.*the unit is USD per second/)]);
});
