/** The two formats of `/metrics`. Only OpenMetrics has exemplars. */
export type Exposition = 'prometheus' | 'openmetrics';

export type MetricType = 'counter' | 'gauge' | 'histogram';

export const contentTypes: Readonly<Record<Exposition, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** The last line of an OpenMetrics document. */
export const END_OF_OPENMETRICS = '# EOF\n';

const TOTAL = '_total';

const escapeLabel = (value: string): string =>
  value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));

/** Formats labels with their values, in braces. */
export function formatLabels(names: readonly string[], values: readonly string[]): string {
  const pairs = names.map((name, index) => `${name}="${escapeLabel(values[index] ?? '')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** Formats the description of a metric. OpenMetrics names a counter without its suffix. */
export function formatHead(
  { name, help, type }: { name: string; help: string; type: MetricType },
  exposition: Exposition,
): string {
  const isShort = exposition === 'openmetrics' && type === 'counter' && name.endsWith(TOTAL);
  const family = isShort ? name.slice(0, -TOTAL.length) : name;
  return `# HELP ${family} ${help}\n# TYPE ${family} ${type}\n`;
}

/** Formats the upper bound of a bucket. OpenMetrics requires a decimal point. */
export function formatBound(bound: number | undefined, exposition: Exposition): string {
  if (bound === undefined) return '+Inf';
  return exposition === 'openmetrics' && Number.isInteger(bound) ? `${bound}.0` : String(bound);
}

type AcceptedType = { type: string; weight: number };

/** Reads one part of an `accept` header, such as `text/plain;q=0.5`. */
function readAcceptedType(part: string): AcceptedType {
  const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return { type, weight: weight === undefined ? 1 : Number(weight.slice('q='.length)) || 0 };
}

/** Chooses the format for an `accept` header. OpenMetrics is sent only to scrapers that ask for it. */
export function expositionFor(accept: string | null): Exposition {
  const acceptedTypes = (accept ?? '').split(',').map(readAcceptedType);
  const weightOf = (wanted: string) =>
    Math.max(0, ...acceptedTypes.filter(({ type }) => type === wanted).map(({ weight }) => weight));
  const openMetrics = weightOf('application/openmetrics-text');
  return openMetrics > 0 && openMetrics >= weightOf('text/plain') ? 'openmetrics' : 'prometheus';
}
