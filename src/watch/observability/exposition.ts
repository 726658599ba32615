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
  value.replace(/[\\"\n]/g, (found) => (found === '\n' ? '\\n' : `\\${found}`));

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

type Wish = { type: string; q: number };

function readWish(part: string): Wish {
  const [type = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
  const q = parameters.find((each) => each.startsWith('q='));
  return { type, q: q === undefined ? 1 : Number(q.slice(2)) || 0 };
}

/** Chooses the format for an `accept` header. OpenMetrics is sent only to scrapers that ask for it. */
export function expositionFor(accept: string | null): Exposition {
  const wishes = (accept ?? '').split(',').map(readWish);
  const weightOf = (type: string) =>
    Math.max(0, ...wishes.filter((wish) => wish.type === type).map(({ q }) => q));
  const open = weightOf('application/openmetrics-text');
  return open > 0 && open >= weightOf('text/plain') ? 'openmetrics' : 'prometheus';
}
