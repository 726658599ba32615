import { pricingOf } from '../../../src/settings/catalog/model-of-row.ts';
import type { Prices } from '../../../src/settings/catalog/price-condition.ts';
import { readDefaultCatalog } from '../../../src/settings/catalog/read-default-catalog.ts';
import type { CatalogModelRow } from '../../../src/settings/config/catalog-schema.ts';
import type { PriceConditionRow } from '../../../src/settings/config/price-schema.ts';
import { isMetered } from '../../../src/translation/canonical/model-kind.ts';

const code = (text: string): string => `\`${text}\``;
const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '-'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

const ALL_DAYS = 7;

const hoursWords = ({ hours = [] }: PriceConditionRow): string[] =>
  hours.map(
    ({ days, from, to }) => `${days.length === ALL_DAYS ? '' : `${days.join(' ')} `}${from}–${to} UTC`,
  );

/** The conditions of a row, in words. */
function conditionWords(row: PriceConditionRow): string {
  const hours = hoursWords(row).join(' or ');
  return [
    row.above_input_tokens !== undefined &&
      `above ${row.above_input_tokens.toLocaleString('en')} input tokens`,
    hours,
    row.from !== undefined && `from ${row.from}`,
    row.until !== undefined && `until ${row.until}`,
    row.tier !== undefined && `tier ${code(row.tier)}`,
    row.region !== undefined && `region ${code(row.region)}`,
  ]
    .filter((words) => words)
    .join(', ');
}

const cells = ({ input, cachedInput, output }: Prices): string[] => [
  String(input),
  cachedInput === null ? '–' : String(cachedInput),
  String(output),
];

const sourceCell = (source: string | null | undefined): string => (source ? `[source](${source})` : '–');

const tokenPrices = ({ pricing_usd_per_mtok: prices }: CatalogModelRow) =>
  prices ?? { input: 0, output: 0, cached_input: null };

function rowsOf(model: CatalogModelRow): string[][] {
  const pricing = pricingOf(tokenPrices(model));
  const conditions = tokenPrices(model).conditions ?? [];
  return [
    [
      code(model.id),
      'base',
      '',
      ...cells(pricing),
      model.confirmed_at ?? 'not confirmed',
      sourceCell(model.source),
    ],
    ...conditions.map((row, index) => [
      '',
      code(row.name),
      conditionWords(row),
      ...cells(pricing.conditions![index]!),
      row.confirmed_at ?? 'not confirmed',
      sourceCell(row.source),
    ]),
  ];
}

const perUnit = {
  per_second: 'per second',
  per_million_characters: 'per million characters',
  per_1000_documents: 'per 1,000 documents',
  per_request: 'per request',
} as const;

/** The prices of a metered model, in words. */
function meteredWords({
  pricing_usd_per_mtok: tokens,
  metered_usd: prices,
  extras_usd: extras,
}: CatalogModelRow): string {
  const images = prices?.per_image ?? [];
  const units = (Object.keys(perUnit) as (keyof typeof perUnit)[]).filter(
    (name) => prices?.[name] !== undefined,
  );
  const words = [
    ...images.map(({ size, quality, usd }) =>
      `${usd} per image ${[size, quality].filter((word) => word).join(' ')}`.trim(),
    ),
    ...units.map((name) => `${prices![name]} ${perUnit[name]}`),
    ...(tokens
      ? [
          `${tokens.input} per million input tokens`,
          ...(tokens.cached_input === null ? [] : [`${tokens.cached_input} cached`]),
          ...(extras.image_input === undefined ? [] : [`${extras.image_input} of images`]),
          `${tokens.output} per million output tokens`,
        ]
      : []),
  ];
  return words.join(', ') || 'free';
}

const meteredRow = (model: CatalogModelRow): string[] => [
  code(model.id),
  model.kind,
  meteredWords(model),
  model.confirmed_at ?? 'not confirmed',
  sourceCell(model.source),
];

const heads = ['model', 'row', 'condition', 'input', 'cached input', 'output', 'confirmed', 'source'];

/** Formats `docs/prices.md`. */
export function priceReference(): string {
  const { models } = readDefaultCatalog();
  const rowed = models.filter((model) => model.pricing_usd_per_mtok?.conditions);
  const others = models.filter((model) => !model.pricing_usd_per_mtok?.conditions && !isMetered(model.kind));
  const metered = models.filter(({ kind }) => isMetered(kind));
  return `# Prices

<!-- UPDATE=1 npm test -- test/program/references.test.ts rewrites this page. -->

This page lists the prices of the default catalog, in US dollars per million tokens where nothing else is said. \`/v1/models\` and the page of each model in the
dashboard show the prices of a running server: the current row, the next change and all conditions.

## Rows and conditions
A model has base prices and can have rows with conditions. The first row whose conditions all hold decides the whole price. If no row holds,
the base prices apply. Prices of two rows are never added or multiplied.

\`\`\`yaml
pricing_usd_per_mtok:
  input: 5
  output: 30
  cached_input: 0.5
  conditions:
    - name: peak-long
      above_input_tokens: 272000
      hours:
        - { days: [mon, tue, wed, thu, fri], from: "01:00", to: "04:00" }
      factor: 2
      output: 45
    - name: from-march
      from: 2027-03-01
      factor: 1.5
\`\`\`

| member | the row holds |
| - | - |
| \`above_input_tokens\` | for answers with more input tokens, cached and cache-written ones included. The row prices the whole request |
| \`hours\` | in any of the windows, in UTC. \`from\` is in the window and \`to\` is not. A \`to\` at or before \`from\` is on the next day, and \`days\` names the day on which the window begins |
| \`from\`, \`until\` | from a date or time on, and before one. A date begins at 00:00 UTC |
| \`tier\` | for answers that are billed in the tier \`default\`, \`flex\`, \`priority\`, \`fast\` or \`ultrafast\` |
| \`region\` | for requests that ask for the region with \`inference_geo\` |

- \`factor\` multiplies the prices that the row leaves out, and the token prices of \`extras_usd\`. Prices that the row has are not multiplied.
- Time, payment mode and region are taken when the request is admitted. A batch's item takes the time of its batch's creation. Size and tier
  are those of the answer.
- If one request has several answers that the gateway asks for one by one, the largest of them decides the row.
- A tier that costs more than the base prices applies only if the request asked for it and the provider reports it.
- A row with \`tier\` or \`region\` gives that tier or region a price while its time and payment mode apply. A request for one without a price
  follows [\`pricing.unpriced\`](operations.md#usage-beyond-tokens).
- The factors of \`extras_usd\` multiply a row without \`tier\` or \`region\`. A row with \`tier\` replaces the factor of the tier, and one with
  \`region\` that of \`inference_geo\`.
- A hold covers the dearest row that can still apply. The receipt names the row in \`price_row\`, and a quote lists the possible rows in
  \`price_rows\`.
- A compaction, an advisor or a fallback model is priced by its own model's row, for its own input.
- A substitute costs the cheaper of its own charge and that of the requested model, each by its own row.
- Prices have nine decimals. A rate is kept in steps of 0.000000002 US dollars per million tokens, and a charge is rounded up once.
- \`payg_pricing_usd_per_mtok\`, \`native_batch_pricing_usd_per_mtok\` and \`catalog.prices\` take conditions too. A row of \`catalog.prices\`
  replaces all prices of its model, the conditions included.

## New prices
\`bin/tollgate catalog update FILE\` takes over the prices of a file or a URL:

\`\`\`yaml
issued_at: 2026-12-01T08:00:00Z
prices:
  gpt-6.1-sol:
    input: 2
    output: 10
    cached_input: 0.1
    confirmed_at: 2026-12-01
    conditions:
      - { name: long, above_input_tokens: 272000, factor: 2, output: 15, confirmed_at: 2026-12-01 }
\`\`\`

- \`--dry-run\` lists the changes by model, and the accounts that used these models in the last 30 days.
- \`catalog.price_keys\` lists public keys (Ed25519, base64). While it has a key, the file needs a signature in \`FILE.sig\` or \`URL.sig\`: the
  base64 text of the 64 bytes over the file's exact bytes. An unsigned, wrongly signed or older file changes nothing.
- \`catalog.prices_issued_at\` keeps the time of the latest signed file, also if that file changed no price.
- Without keys, a URL needs \`--unsigned\`.
- A file has at most 5 MB and no placeholders. Names that no model has are skipped and printed.
- A running server takes the prices over at once. Requests that are under way keep the prices of their admission.
- If the configuration is edited in the meantime, the edit is kept and the command fails.
- \`bin/tollgate catalog check\` warns about prices that were not confirmed for 90 days, and lists the changes that lie ahead. The alert
  \`price_unconfirmed\` is raised once a month for a model in use whose price is not confirmed.

Node makes a key, the text for \`catalog.price_keys\` and a signature:

\`\`\`js
import { generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
writeFileSync('prices.pem', privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
console.log(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'));
writeFileSync('prices.yaml.sig', sign(null, readFileSync('prices.yaml'), privateKey).toString('base64'));
\`\`\`

## Models whose prices have conditions
${table(heads, rowed.flatMap(rowsOf))}
## Other models
${table(
  heads.filter((_, index) => index !== 1 && index !== 2),
  others.flatMap(rowsOf).map((row) => row.filter((_, index) => index !== 1 && index !== 2)),
)}
## Models of metered endpoints
[Metered endpoints](metered-endpoints.md) describes these prices.

${table(['model', 'kind', 'prices in US dollars', 'confirmed', 'source'], metered.map(meteredRow))}`;
}
