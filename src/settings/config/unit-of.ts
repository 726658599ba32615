import { callPriceNames, factorPriceNames, tokenPriceNames } from '../../translation/canonical/price-name.ts';

/** The fields of numbers by what they count. A test compares the names with the schemas. */
const fieldsByMeaning: Readonly<Record<string, readonly string[]>> = {
  'the number is a TCP port': ['port'],
  'the number is a weight relative to the other routes': ['weight'],
  'the number is a share of 1': ['free_share', 'sample', 'credits_low_share'],
  'the number is a factor of the token prices': ['factor', ...factorPriceNames],
  'the unit is Unix seconds': ['created'],
  'the unit is processes': ['workers'],
  'the unit is KB': ['max_kb'],
  'the unit is requests': ['max_requests'],
  'the unit is requests per 5 minutes': ['requests_per_5min'],
  'the unit is concurrent requests': ['max_concurrent', 'concurrent'],
  'the unit is connections': ['connections', 'connections_per_network'],
  'the unit is batch items': ['batch_concurrent'],
  'the unit is turns': ['socket_turns'],
  'the unit is calls': ['hosted_tool_calls'],
  'the unit is tokens': [
    'hosted_tool_tokens',
    'image_tokens',
    'context_window',
    'max_output',
    'max_prompt_tokens',
    'above_input_tokens',
  ],
  'the unit is dimensions': ['output_dimensions'],
  'the unit is credits': ['credits', 'shortfall_stop_credits'],
  'the unit is API keys': ['keys_per_organization'],
  'the unit is members': ['members_per_organization'],
  'the unit is invitations': ['invitations_per_organization'],
  'the unit is USD per million tokens': ['input', 'output', 'cached_input', ...tokenPriceNames],
  'the unit is USD per 1,000 calls': callPriceNames,
  'the unit is USD per image': ['usd'],
  'the unit is USD per second': ['per_second'],
  'the unit is USD per million characters': ['per_million_characters'],
  'the unit is USD per 1,000 documents': ['per_1000_documents'],
  'the unit is USD per request': ['per_request'],
};

const meanings: ReadonlyMap<string, string> = new Map(
  Object.entries(fieldsByMeaning).flatMap(([meaning, fields]) =>
    fields.map((field) => [field, meaning] as const),
  ),
);

/** The units of fields whose names end with them. */
const unitsByEnding: readonly (readonly [ending: string, unit: string])[] = [
  ['_s', 'seconds'],
  ['_ms', 'milliseconds'],
  ['_mb', 'MB'],
  ['_days', 'days'],
  ['_usd', 'USD'],
  ['requests_per_min', 'requests per minute'],
  ['tokens_per_min', 'tokens per minute'],
  ['tokens_per_day', 'tokens per day'],
  ['tokens_per_second', 'tokens per second'],
];

/** Returns a clause that says what a number counts, or undefined if its field is not known. */
export function unitOf(field: string): string | undefined {
  const meaning = meanings.get(field);
  if (meaning !== undefined) return meaning;
  const unit = unitsByEnding.find(([ending]) => field.endsWith(ending))?.[1];
  return unit && `the unit is ${unit}`;
}
