import type { Static } from 'typebox';
import { Type } from '../../base/schema/type.ts';
import { MAX_USD_PER_MTOK } from '../plans/amounts.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { choice, nullable, row } from './schema-parts.ts';

const price = (description: string) => Type.Number({ minimum: 0, maximum: MAX_USD_PER_MTOK, description });
const { Optional: optional } = Type;

const CACHED = 'USD per million input tokens that are read from a cache. `null` means the input price.';

const tokenPriceFields = {
  input: price('USD per million input tokens.'),
  output: price('USD per million output tokens.'),
  cached_input: nullable(price(''), { description: CACHED }),
};

const day = String.raw`\d{4}-\d{2}-\d{2}`;
const date = (description: string) =>
  Type.String({ pattern: `^${day}$`, expected: 'a date such as 2026-12-01', description });
/** Returns the schema of a date or an instant. */
export const instant = (description: string) =>
  Type.String({
    pattern: String.raw`^${day}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?$`,
    expected: 'a date such as 2026-12-01, or a time such as 2026-12-01T08:00:00Z',
    description,
  });
const clock = (pattern: string, expected: string, description: string) =>
  Type.String({ pattern, expected, description });

/** The days of a week, as they count from the first Monday of 1970. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const HoursSchema = row(
  {
    days: Type.Array(choice(weekdays), {
      minItems: 1,
      maxItems: 7,
      default: [...weekdays],
      description: 'Days on which the window begins.',
    }),
    from: clock(
      '^([01][0-9]|2[0-3]):[0-5][0-9]$',
      'a time such as 01:00',
      'First minute of the window, in UTC.',
    ),
    to: clock(
      '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
      'a time such as 04:00, or 24:00',
      'First minute after the window, in UTC. A time at or before `from` is on the next day.',
    ),
  },
  { description: 'A window of hours in UTC.' },
);

const provenance = {
  source: optional(
    Type.String({ minLength: 1, description: 'Source of the prices, as a note for readers.' }),
  ),
  confirmed_at: optional(date('Date on which the prices were last compared with their source.')),
};

const ConditionSchema = row(
  {
    name: Type.String({
      pattern: '^[a-z0-9-]{1,40}$',
      expected: '1 to 40 lowercase letters, digits and hyphens',
      description: 'Name of the row on receipts and in quotes.',
    }),
    above_input_tokens: optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000_000,
        description: 'The row applies to answers with more input tokens than this, including cached ones.',
      }),
    ),
    hours: optional(
      Type.Array(HoursSchema, {
        minItems: 1,
        maxItems: 32,
        description: 'The row applies in any of these windows.',
      }),
    ),
    from: optional(instant('The row applies from this date or time on. A date begins at 00:00 UTC.')),
    until: optional(instant('The row applies before this date or time.')),
    tier: optional(
      choice(['default', 'flex', 'priority', 'fast', 'ultrafast'], {
        description: 'The row applies to answers that are billed in this tier.',
      }),
    ),
    region: optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'The row applies to requests that ask for this region.',
      }),
    ),
    factor: Type.Number({
      minimum: 0,
      maximum: 100,
      default: 1,
      description:
        'Multiplies the base prices that the row leaves out, and the token prices of `extras_usd`.',
    }),
    input: optional(price('USD per million input tokens.')),
    output: optional(price('USD per million output tokens.')),
    cached_input: optional(Type.Union([price(''), Type.Null()], { description: CACHED })),
    ...provenance,
  },
  { description: 'Prices that replace the base prices while all conditions of the row hold.' },
);

const conditions = optional(
  Type.Array(ConditionSchema, {
    maxItems: 32,
    description:
      'Price rows with conditions. The first row whose conditions all hold decides. Without one, the base prices apply.',
  }),
);

/** Prices without conditions. */
export const PlainPricingSchema = row(tokenPriceFields, { description: 'Prices in USD per million tokens.' });

export const ModelPricingSchema = row(
  { ...tokenPriceFields, conditions },
  { description: 'Prices in USD per million tokens.' },
);

/** Prices that replace those of a model. */
export const ReplacedPricingSchema = row(
  { ...tokenPriceFields, conditions, ...provenance },
  { description: 'Prices in USD per million tokens.' },
);

export const confirmedAt = provenance.confirmed_at;

/** The dates of a model's life. */
export const lifeDates = {
  deprecated_at: optional(date('Date from which the vendor deprecates the model.')),
  retires_at: optional(date('Date on which the vendor retires the model.')),
};

export type PriceConditionRow = DeepReadonly<Static<typeof ConditionSchema>>;
/** Prices of a file, in USD per million tokens. */
export type PriceRow = DeepReadonly<Static<typeof ReplacedPricingSchema>>;
