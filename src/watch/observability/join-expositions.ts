import { END_OF_OPENMETRICS, type Exposition } from './exposition.ts';
import type { WorkerAnswer } from './fleet.ts';

const HEAD = '# HELP ';
const COMMENT = '#';

/**
 * Joins the metrics of several processes into one document. Each series gets the label `worker`, so that a
 * restarted process resets only its own counters.
 */
export function joinExpositions(answers: readonly WorkerAnswer[], exposition: Exposition): string {
  const families = new Map<string, { head: string; series: string }>();
  for (const { worker, answer } of answers) addFamilies(families, answer, worker);
  let text = '';
  for (const { head, series } of families.values()) text += head + series;
  return exposition === 'openmetrics' ? text + END_OF_OPENMETRICS : text;
}

function addFamilies(
  families: Map<string, { head: string; series: string }>,
  answer: string,
  worker: number,
): void {
  let family = { head: '', series: '' };
  for (const line of answer.split('\n')) {
    if (line === '' || `${line}\n` === END_OF_OPENMETRICS) continue;
    if (line.startsWith(HEAD)) {
      const name = line.slice(HEAD.length, line.indexOf(' ', HEAD.length));
      const existingFamily = families.get(name);
      family = existingFamily ?? { head: '', series: '' };
      if (!existingFamily) families.set(name, family);
    }
    if (!line.startsWith(COMMENT)) family.series += `${withWorker(line, worker)}\n`;
    else if (!family.head.includes(`${line}\n`)) family.head += `${line}\n`;
  }
}

/** Adds the label to a sample. The first brace or space ends its name. */
function withWorker(line: string, worker: number): string {
  const end = /[{ ]/.exec(line)!.index;
  const name = line.slice(0, end);
  const rest = line.slice(end);
  return rest.startsWith('{')
    ? `${name}{worker="${worker}",${rest.slice(1)}`
    : `${name}{worker="${worker}"}${rest}`;
}
