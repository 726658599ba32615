import { lookUp } from '../../base/lib/records.ts';
import { nodeOf, type SchemaNode } from '../../base/schema/schema-node.ts';
import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import { callPrices, factorPrices, tokenPrices } from '../../translation/canonical/price-name.ts';

/** The units of numbers with these names. */
const byName: Readonly<Record<string, string>> = {
  port: 'the number is a TCP port',
  weight: 'the number is a weight relative to the other routes',
  free_share: 'the number is a share of 1',
  sample: 'the number is a share of 1',
  credits_low_share: 'the number is a share of 1',
  created: 'the unit is Unix seconds',
  workers: 'the unit is processes',
  max_kb: 'the unit is KB',
  max_requests: 'the unit is requests',
  connections: 'the unit is connections',
  connections_per_network: 'the unit is connections',
  max_concurrent: 'the unit is concurrent requests',
  concurrent: 'the unit is concurrent requests',
  batch_concurrent: 'the unit is batch items',
  socket_turns: 'the unit is turns',
  hosted_tool_calls: 'the unit is calls',
  hosted_tool_tokens: 'the unit is tokens',
  image_tokens: 'the unit is tokens',
  shortfall_stop_credits: 'the unit is credits',
  keys_per_organization: 'the unit is API keys',
  members_per_organization: 'the unit is members',
  invitations_per_organization: 'the unit is invitations',
  context_window: 'the unit is tokens',
  max_output: 'the unit is tokens',
  max_prompt_tokens: 'the unit is tokens',
  output_dimensions: 'the unit is dimensions',
  credits: 'the unit is credits',
  input: 'the unit is USD per million tokens',
  output: 'the unit is USD per million tokens',
  cached_input: 'the unit is USD per million tokens',
  above_input_tokens: 'the unit is tokens',
  factor: 'the number is a factor of the token prices',
  ...Object.fromEntries(callPrices.map((name) => [name, 'the unit is USD per 1,000 calls'])),
  ...Object.fromEntries(tokenPrices.map((name) => [name, 'the unit is USD per million tokens'])),
  ...Object.fromEntries(factorPrices.map((name) => [name, 'the number is a factor of the token prices'])),
  usd: 'the unit is USD per image',
  per_second: 'the unit is USD per second',
  per_million_characters: 'the unit is USD per million characters',
  per_1000_documents: 'the unit is USD per 1,000 documents',
  per_request: 'the unit is USD per request',
  requests_per_5min: 'the unit is requests per 5 minutes',
};

const byEnding: readonly (readonly [RegExp, string])[] = [
  [/_s$/, 'seconds'],
  [/_ms$/, 'milliseconds'],
  [/_mb$/, 'MB'],
  [/_days$/, 'days'],
  [/_usd$/, 'USD'],
  [/requests_per_min$/, 'requests per minute'],
  [/tokens_per_min$/, 'tokens per minute'],
  [/tokens_per_day$/, 'tokens per day'],
  [/tokens_per_second$/, 'tokens per second'],
];

/** Says what a number counts, by the name of its field. Returns undefined if the name is not known. */
export function unitOf(field: string): string | undefined {
  if (Object.hasOwn(byName, field)) return byName[field];
  const unit = byEnding.find(([ending]) => ending.test(field))?.[1];
  return unit && `the unit is ${unit}`;
}

const branchesOf = (node: SchemaNode): readonly SchemaNode[] =>
  (node.anyOf ?? node.oneOf)?.flatMap(branchesOf) ?? [node];

const isNumber = ({ type }: SchemaNode): boolean => type === 'number' || type === 'integer';

function within(node: SchemaNode, step: string | number): SchemaNode | undefined {
  for (const branch of branchesOf(node)) {
    const free = Object.values(branch.patternProperties ?? {})[0];
    const field = typeof step === 'number' ? branch.items : (lookUp(branch.properties ?? {}, step) ?? free);
    if (field) return field;
  }
  return undefined;
}

/** Adds the unit to problems of numbers, so that a reader need not know the field. */
export function withUnits(schema: object, problems: readonly SchemaProblem[]): SchemaProblem[] {
  return problems.map((problem) => {
    let node: SchemaNode | undefined = nodeOf(schema as never);
    for (const step of problem.path) node = node && within(node, step);
    const field = problem.path.findLast((step) => typeof step === 'string');
    const unit = node && branchesOf(node).some(isNumber) && unitOf(String(field));
    return unit ? { ...problem, message: `${problem.message}; ${unit}` } : problem;
  });
}
