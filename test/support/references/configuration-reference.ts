import { branchesOf, nodeOf, type SchemaNode } from '../../../src/base/schema/schema-node.ts';
import { restartNeeded } from '../../../src/program/assembly/reload.ts';
import { type Config, ConfigSchema } from '../../../src/settings/config/config-schema.ts';
import { parseConfig } from '../../../src/settings/config/load-config.ts';
import type { GeneratedParts } from './fill-generated.ts';

const PLANS = 'plans';

/** A setting of the reference. `isOptional` is true if it can be omitted although it has no default. */
type Setting = { path: string; node: SchemaNode; isOptional?: boolean | undefined };

const UNITS: readonly [ending: RegExp, unit: string][] = [
  [/_s$/, 'seconds'],
  [/_ms$/, 'milliseconds'],
  [/_mb$/, 'MB'],
  [/_usd$/, 'USD'],
  [/_usd_per_mtok\.\w+$|extras_usd\.(cache_write|audio)_\w+$/, 'USD per million tokens'],
  [/extras_usd\.(web_search|image_generation)$/, 'USD per 1,000 calls'],
  [/extras_usd\.\w+$/, 'factor'],
  [/(^|\.)credits$/, 'credits'],
  [/tokens_per_second$/, 'tokens per second'],
  [/tokens(_per_\w+)?$|context_window$|max_output$/, 'tokens'],
];

/** Returns the part of a union that is not null. */
const nonNullBranch = (node: SchemaNode): SchemaNode =>
  branchesOf(node)?.find(({ type }) => type !== 'null') ?? node;

const isSection = (node: SchemaNode): boolean =>
  node.type === 'object' && Object.keys(node.properties ?? {}).length > 0;

/** The rows of a list are documented as a separate section. */
function sectionsOf(path: string, node: SchemaNode): Setting[] {
  const inner = nonNullBranch(node);
  if (inner.type === 'array' && inner.items && isSection(nonNullBranch(inner.items)))
    return sectionsOf(`${path}[]`, inner.items);
  if (!isSection(inner)) return [];
  if (path === PLANS) return [{ path, node: inner }];
  const below = Object.entries(inner.properties!).flatMap(([name, field]) =>
    sectionsOf(path === '' ? name : `${path}.${name}`, field),
  );
  return [{ path, node: inner }, ...below];
}

const oneOf = (words: readonly unknown[]): string => words.map((word) => `\`${word}\``).join(', ');

function rangeOf({ minimum, maximum, exclusiveMinimum, minLength }: SchemaNode): string {
  if (minLength !== undefined && minLength > 1) return ` of ${minLength} or more characters`;
  const group = (value: number) => value.toLocaleString('en-US');
  if (exclusiveMinimum !== undefined)
    return ` above ${group(exclusiveMinimum)}${maximum === undefined ? '' : `, at most ${group(maximum)}`}`;
  if (minimum !== undefined && maximum !== undefined) return `, ${group(minimum)} to ${group(maximum)}`;
  return minimum === undefined ? '' : `, ${group(minimum)} or more`;
}

function typeOf(node: SchemaNode): string {
  const inner = nonNullBranch(node);
  const orNull = inner === node ? '' : ' or null';
  if (inner.enum) return `${inner.enum.length > 8 ? 'a name' : oneOf(inner.enum)}${orNull}`;
  if (inner.type === 'array') return `list of ${pluralOf(inner.items ?? {})}${orNull}`;
  if (inner.type === 'object') return `${isSection(inner) ? 'section' : 'mapping'}${orNull}`;
  return `${String(inner.type)}${rangeOf(inner)}${orNull}`;
}

const pluralOf = (item: SchemaNode): string => {
  if (item.enum) return item.enum.length > 13 ? 'names' : oneOf(item.enum);
  return isSection(nonNullBranch(item)) ? 'sections' : `${String(item.type)}s`;
};

const unitOf = (path: string, node: SchemaNode): string => {
  const { type } = nonNullBranch(node);
  if (type !== 'number' && type !== 'integer') return '–';
  return UNITS.find(([ending]) => ending.test(path))?.[1] ?? '–';
};

function defaultOf({ node, isOptional }: Setting): string {
  if (node.default === undefined) return isOptional ? 'none' : 'required';
  if (isSection(nonNullBranch(node)) && node.default !== null) return '–';
  return `\`${JSON.stringify(node.default).replaceAll('|', '\\|')}\``;
}

const loaded = parseConfig({ text: '', file: 'none.yaml', environment: {} });
if ('problems' in loaded) throw new Error('an empty configuration is not valid');

/**
 * Compares configurations that differ in one setting only, as a reload does. Returns when the setting takes
 * effect.
 */
function reloadOf(path: string): string {
  if ('problems' in loaded) return '';
  const changed: Record<string, unknown> = structuredClone(loaded.config) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop()!;
  // A section can be null by default.
  const holder = names.reduce((at, name) => {
    at[name] ??= {};
    return at[name] as Record<string, unknown>;
  }, changed);
  holder[last] = 'another value';
  return restartNeeded(loaded.config, changed as Config).length > 0 ? 'next start' : 'reload';
}

const rowOf = ({ path, node, isOptional }: Setting, shown: string): string =>
  `| \`${shown}\` | ${typeOf(node)} | ${unitOf(path, node)} | ${defaultOf({ path, node, isOptional })} | ${node.description ?? ''} | ${
    path.includes('[]') ? 'reload' : reloadOf(path)
  } |\n`;

const HEAD = '| setting | type | unit | default | meaning | takes effect |\n| - | - | - | - | - | - |\n';

/** The plans have the same settings, so their defaults share a table. */
function formatPlans(node: SchemaNode): string {
  const plans = Object.entries(node.properties!);
  const settings = Object.entries(plans[0]![1].properties!).map(
    ([name, field]) =>
      `| \`${name}\` | ${typeOf(field)} | ${unitOf(name, field)} | ${field.description} | ${reloadOf(`${PLANS}.free.${name}`)} |\n`,
  );
  const names = Object.keys(plans[0]![1].properties!);
  const defaults = plans.map(([plan, { properties }]) => {
    const cells = names.map((name) => String(properties![name]!.default ?? 'null'));
    return `| \`${plan}\` | ${cells.join(' | ')} |\n`;
  });
  return `## ${PLANS}
${node.description} \`plans.pro.concurrent\` is the setting \`concurrent\` of the Pro plan.

| setting of a plan | type | unit | meaning | takes effect |
| - | - | - | - | - |
${settings.join('')}
The defaults:

| plan | ${names.map((name) => `\`${name}\``).join(' | ')} |
| - | ${names.map(() => '-').join(' | ')} |
${defaults.join('')}`;
}

const isRequired = ({ required }: SchemaNode, name: string): boolean => required?.includes(name) ?? false;

function formatSection({ path, node }: Setting): string {
  if (path === PLANS) return formatPlans(node);
  const fields = Object.entries(node.properties!).filter(
    ([, field]) =>
      sectionsOf('', field).length === 0 || nonNullBranch(field) !== field || field.type === 'array',
  );
  const rows = fields.map(([name, field]) =>
    rowOf(
      { path: path === '' ? name : `${path}.${name}`, node: field, isOptional: !isRequired(node, name) },
      name,
    ),
  );
  const marks = path.includes('.') ? '###' : '##';
  if (rows.length === 0) return `${marks} ${path}\n${node.description ?? ''}\n`;
  const title = path === '' ? 'Top level' : path;
  return `${marks} ${title}\n${node.description ?? ''}\n\n${HEAD}${rows.join('')}`;
}

/** The sections of docs/configuration.md. */
export const configurationParts: GeneratedParts = {
  settings: () => sectionsOf('', nodeOf(ConfigSchema)).map(formatSection).join('\n'),
};
