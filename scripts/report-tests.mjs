// The end of the output of a test run: costs, faults and counts.

/** Groups whose folder has several kinds of tests, by the beginnings of their paths. */
const FINER = ['src/store/testing/conformance', 'src/store/postgres', 'test/faults/nodes'];

/** Returns the name of a job in the report. */
const nameOf = ({ name, files, store }) =>
  name ?? `${files.join(' ')}${store === 'postgres' ? ' on Postgres' : ''}`;

/**
 * Files that failed once and passed alone, and then everything that failed, so that the end of a long log
 * names it.
 */
export function formatFaults(recovered, failed) {
  const flaky = recovered.map((job) => ({ ...job, faults: job.firstFaults.filter(isOf(job)) }));
  const lines = [
    ...flaky.filter(({ faults }) => faults.length > 0).map(headed('passed in the second run')),
    ...failed.map(headed('FAILED')),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** The files of a process fail together, but each test belongs to one of them. */
const isOf =
  ({ files }) =>
  ({ file }) =>
    file === undefined || files.includes(file);

const headed = (heading) => (job) =>
  `${heading}: ${nameOf(job)}${job.faults.map(({ fault }) => `\n  ${fault}`).join('')}`;

const sum = (jobs, value) => jobs.reduce((total, job) => total + value(job), 0);

export function formatCounts(results) {
  const count = (member) => sum(results, (result) => result[member]);
  const skipped = count('skipped');
  return `${count('passed')} passed, ${count('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function groupOf({ name, files }) {
  if (name) return name;
  const [file] = files;
  const finer = FINER.find((start) => file.startsWith(start));
  if (finer) return finer;
  return file.startsWith('test/') ? file.split('/').slice(0, 2).join('/') : 'units beside the sources';
}

const seconds = (jobs) =>
  jobs.length === 0 ? '-' : String(Math.round(sum(jobs, ({ cpuMs }) => cpuMs) / 1000));

/** Formats a table of the CPU time by group, then of the single files that need the most. */
export function formatCosts(results) {
  const groups = new Map();
  for (const job of results) groups.set(groupOf(job), [...(groups.get(groupOf(job)) ?? []), job]);
  const isOn = (store) => (job) => (job.store ?? 'embedded') === store;
  const rows = [...groups]
    .sort(([, a], [, b]) => sum(b, ({ cpuMs }) => cpuMs) - sum(a, ({ cpuMs }) => cpuMs))
    .map(([group, jobs]) => [
      group,
      sum(jobs, ({ passed }) => passed),
      ...['embedded', 'postgres'].map((store) => seconds(jobs.filter(isOn(store)))),
    ]);
  const files = results
    .filter(({ cpuMs }) => cpuMs >= 1_000)
    .sort((a, b) => b.cpuMs - a.cpuMs)
    .map((job) => `${(job.cpuMs / 1000).toFixed(1)} s CPU, ${(job.ms / 1000).toFixed(1)} s: ${nameOf(job)}`);
  return [
    `CPU time: ${seconds(results)} s`,
    '| group | passed | CPU seconds | on Postgres |',
    '| - | - | - | - |',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
    ...files,
    '',
  ].join('\n');
}
