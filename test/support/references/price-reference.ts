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

/** Returns the prices of a metered model, in words. */
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

This page lists the prices of the default catalog. Prices are in US dollars per million tokens, unless a table names another unit.
\`/v1/models\` and the dashboard's page of each model show the prices of a running server: the current row, the next change and all
conditions.

## Rows and conditions
A model has base prices and can have price rows with conditions. The first row whose conditions all hold decides the whole price. If no row
applies, the base prices apply. The prices of two rows are never combined.

\`\`\`yaml price
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

| condition | the row applies |
| - | - |
| \`above_input_tokens\` | to answers with more input tokens than this, including cached and cache-written ones. The row prices the whole request |
| \`hours\` | within any of the windows, in UTC. A window includes \`from\` and excludes \`to\`. A \`to\` at or before \`from\` is on the next day. \`days\` names the days on which the window begins |
| \`from\`, \`until\` | from a date or time on, and before one. A date begins at 00:00 UTC |
| \`tier\` | to answers that are billed in the tier \`default\`, \`flex\`, \`priority\`, \`fast\` or \`ultrafast\` |
| \`region\` | to requests that ask for the region with \`inference_geo\` |

- \`factor\` multiplies the base prices that the row leaves out, and the token prices of \`extras_usd\`. It does not multiply the row's own
  prices.
- The admission of the request fixes time, payment mode and region. A batch item uses the time of its batch's creation. The answer decides
  size and tier.
- If the gateway calls the upstream once for each of several answers, the call with the largest input decides the row.
- A tier that costs more than the base prices applies only if the request asked for it and the provider reports it.
- A row with \`tier\` or \`region\` gives that tier or region a price, while its other conditions can hold. Requests for a tier or region
  without a price follow [\`pricing.unpriced\`](extras.md).
- A row with \`tier\` replaces the tier's factor in \`extras_usd\`. A row with \`region\` replaces the factor \`inference_geo\`. All other factors
  multiply the row.
- A hold covers the highest price row that can apply. The receipt names the row in \`price_row\`. A quote lists the possible rows in
  \`price_rows\`.
- A compaction, an advisor or a fallback model is priced by the rows of its own model, for its own input.
- A comparable model costs its own charge or that of the requested model, whichever is lower. Each charge uses its own model's rows.
- Prices have nine decimals. A rate is a multiple of 0.000000002 US dollars per million tokens. A charge is rounded up once.
- \`payg_pricing_usd_per_mtok\`, \`native_batch_pricing_usd_per_mtok\` and \`catalog.prices\` accept conditions too. An entry of
  \`catalog.prices\` replaces all prices of its model, including the conditions.

## New prices
\`bin/tollgate catalog update FILE\` imports prices from a file or a URL:

\`\`\`yaml price-file
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

- The command lists the changes by model. If it reaches a server, it also lists the accounts that used these models in the last 30 days.
  With \`--dry-run\` it changes nothing.
- \`catalog.price_keys\` lists public keys (Ed25519, base64). While it has a key, a price file needs a signature in \`FILE.sig\` or \`URL.sig\`.
  The signature is the base64 text of 64 bytes, made over the file's exact bytes. Unsigned, wrongly signed and older files are refused.
- \`catalog.prices_issued_at\` is the \`issued_at\` of the latest file. While there are keys, a file without price changes sets it too.
- While there are no keys, a URL needs \`--unsigned\`.
- The file is YAML or JSON, with at most 5 MB and no placeholders. An invalid file is refused with line and field. The command skips names that no model has, and prints them.
- The command writes \`catalog.prices\` of the configuration file. The new text is checked as at a start, and then replaces the file as a
  whole. Comments, key order and placeholders of the file are preserved. On a terminal the command asks for confirmation.
- An entry without \`cached_input\` has the input price for it.
- Prices of pay-as-you-go mode and of native batches that a row of the catalog sets stay.
- The command reloads the running server. The prices apply if the server reads this file. If the command cannot reach the server, they apply
  from the next reload. Requests under way keep the prices of their admission.
- If somebody edits the configuration in the meantime, the edit is kept and the command fails.
- \`bin/tollgate catalog check\` warns about prices that have not been confirmed for 90 days, and lists future price changes. The alert
  \`price_unconfirmed\` names a model in use with such a price, once a month.
- Prices without \`confirmed_at\` count as unconfirmed in the default catalog only. Your own prices need no date.

This script creates a key and a signature, and prints the text for \`catalog.price_keys\`:

\`\`\`js price-key
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
These models have prices for images, seconds, characters, documents or requests ([Metered endpoints](metered-endpoints.md)).

${table(['model', 'kind', 'prices in US dollars', 'confirmed', 'source'], metered.map(meteredRow))}`;
}
