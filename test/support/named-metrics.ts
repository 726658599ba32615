import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Json } from './call.ts';

/** A metric that a rule or the board names, with the labels that its selector uses. */
export type NamedMetric = { place: string; metric: string; labels: string[] };

/** The words of PromQL before a parenthesis or a list of labels, and the functions that the files use. */
const WORDS = new Set(
  `by on and or unless ignoring without group_left offset sum max min rate increase changes absent vector histogram_quantile label_values`.split(
    ' ',
  ),
);

/** Reads the metrics in an expression: the names that are not words of PromQL, labels or texts. */
function metricsIn(place: string, expression: string): NamedMetric[] {
  const bare = expression.replace(/\b(by|on|without|ignoring) ?\(([^)]*)\)/g, ' ').replace(/, \w+\)$/, ')');
  return [...bare.matchAll(/\b([a-z_][a-z0-9_]*)\b(?:\{([^}]*)\})?|\d+[smhd]|"[^"]*"/g)].flatMap(
    ([, metric, selector]): NamedMetric[] => {
      if (metric === undefined || WORDS.has(metric)) return [];
      const labels = [...(selector ?? '').matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label]) => label!);
      return [{ place, metric, labels }];
    },
  );
}

type Target = { expr: string };

/** Lists the metrics that the alert rules and the Grafana board name. */
export function namedMetrics(root: string): NamedMetric[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const { groups }: Json = parse(read('deploy/prometheus/alerts.yml'));
  const board: Json = JSON.parse(read('deploy/grafana/tollgate.json'));
  const rules = groups.flatMap(({ rules: all }: { rules: (Target & { alert: string })[] }) =>
    all.flatMap(({ alert, expr }) => metricsIn(alert, expr)),
  );
  const panels = board.panels.flatMap(({ title, targets = [] }: { title: string; targets?: Target[] }) =>
    targets.flatMap(({ expr }) => metricsIn(title, unfilled(expr))),
  );
  const starts = board.annotations.list.flatMap(({ name, expr }: Target & { name: string }) =>
    metricsIn(name, expr),
  );
  const variables = board.templating.list.flatMap(
    ({ name, definition }: { name: string; definition?: string }) =>
      definition === undefined ? [] : metricsIn(name, definition),
  );
  return [...rules, ...panels, ...starts, ...variables];
}

const unfilled = (expression: string): string => expression.replaceAll('$__rate_interval', '5m');
