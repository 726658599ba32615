import type { Spread, SystemName } from '../benchmark-report.ts';
import { allPeers } from '../peers/all-peers.ts';
import type { Comparison } from './comparison.ts';
import { pictures } from './draw-pictures.ts';
import { buildFigures, type SystemFigures, tailsMs } from './figures.ts';

const missing = '–';

const formatNumber = (value: number, digits = 0): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

const formatSpread = (spread: Spread | null, digits = 0): string =>
  spread === null
    ? missing
    : `${formatNumber(spread.median, digits)} (${formatNumber(spread.min, digits)} to ${formatNumber(spread.max, digits)})`;

/** Returns the name of a system in tables. */
export const titleOf = (system: SystemName): string =>
  allPeers.find(({ name }) => name === system)?.title ??
  { tollgate: 'Tollgate', direct: 'the upstream alone' }[system as string] ??
  system;

type Column = { title: string; read: (figures: SystemFigures) => string };

const formatTable = (columns: readonly Column[], rows: readonly SystemFigures[]): string =>
  [
    columns.map(({ title }) => title),
    columns.map(() => '-'),
    ...rows.map((row) => columns.map(({ read }) => read(row))),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

const system: Column = { title: 'system', read: (figures) => titleOf(figures.system) };

const costColumns: readonly Column[] = [
  system,
  { title: 'CPU µs per request', read: ({ cpuUs }) => formatSpread(cpuUs) },
  { title: '× haproxy', read: ({ cpuRatioToHaproxy }) => formatSpread(cpuRatioToHaproxy, 1) },
  { title: 'CPU µs per agent’s request', read: ({ agentCpuUs }) => formatSpread(agentCpuUs) },
  { title: 'added p50 µs', read: ({ addedP50Us }) => formatSpread(addedP50Us) },
  { title: 'added p99 µs', read: ({ addedP99Us }) => formatSpread(addedP99Us) },
  { title: 'errors', read: ({ errors }) => formatNumber(errors) },
];

const frontierColumns: readonly Column[] = [
  system,
  ...tailsMs.map(
    (tail, index): Column => ({
      title: `p99 ≤ ${tail} ms`,
      read: ({ frontier }) => {
        const rps = frontier[index] ?? null;
        return rps === null ? missing : formatNumber(rps);
      },
    }),
  ),
];

const streamColumns: readonly Column[] = [
  system,
  { title: 'added first event µs', read: ({ addedFirstEventUs }) => formatSpread(addedFirstEventUs) },
  { title: 'CPU µs per stream', read: ({ cpuUsPerStream }) => formatSpread(cpuUsPerStream) },
  {
    title: 'streams without a stall',
    read: ({ steadyStreams }) => (steadyStreams === null ? missing : formatNumber(steadyStreams)),
  },
];

const memoryColumns: readonly Column[] = [
  system,
  ...(['idleMb', 'loadMb', 'afterMb'] as const).map(
    (field, index): Column => ({
      title: ['idle MB', 'under load MB', 'afterwards MB'][index]!,
      read: ({ memory }) => (memory === null ? missing : formatNumber(memory[field])),
    }),
  ),
];

const picture = (file: keyof typeof pictures): string => `![${pictures[file]!.title}](benchmarks/${file})`;

const ownMetering =
  'a key, its account and plan, a reservation of credit, limits for each minute, token counts, the price, ' +
  'and an entry in the ledger that is durable before the last byte is sent';

/** The part of the page that does not depend on a run. */
function formatMethod(): string {
  const peers = allPeers
    .filter(({ name }) => name !== 'bare-bun')
    .map(({ title, language, metering, omits }) => `| ${title} | ${language} | ${metering} | ${omits} |`);
  return `## The systems
| system | language | checks and records for each request here | leaves out |
| - | - | - | - |
| Tollgate | TypeScript | ${ownMetering} | nothing of what it promises |
${peers.join('\n')}

Each system has the metering that its open-source program has without other services, and limits so
wide that no request reaches one. [\`bench/peers\`](../bench/README.md#comparison-with-other-gateways)
has the exact configuration of each.

## Method
- Each system runs on one core of its own. Load generator and upstream use the other cores.
  Compare CPU time and ratios first.
- The upstream of ordinary requests is nginx, which gives each request the same answer.
  That of streams is a process of the benchmark.
- All systems run at the same time and take turns, in an order that changes with each round. Added latencies
  and ratios compare measurements of the same round.
  Cells are medians over the rounds, with the least and the largest value.
- A round in which other processes use more than 4 % of the machine does not count.
- CPU time is the user and system time of all processes of a system, for 32 connections in a closed loop.
- An agent's request has 40 tools and 60 turns.
- The frontier is the largest throughput of all numbers of connections whose 99th percentile is within
  the bound and that had no error.
- A stream stalls if an event is missing, or if a gap exceeds ten intervals.
- Memory is the resident memory of all processes of a system. It is measured before the first request, at the
  end of each measurement (the largest counts), and ten seconds after the last one.

## Run it
The benchmark needs Linux with two cores, and the Debian packages \`wrk\`, \`nginx-light\` and \`haproxy\`.

\`\`\`sh elsewhere
node scripts/run.mjs bench/compare.ts --install
node scripts/run.mjs bench/compare.ts
\`\`\`

The first command installs the peers that npm, pip and cargo have into the user's cache folder. The second one
takes about ten minutes and writes this page. \`--program gomodel=PATH\` names a program of GoModel, Ferro or
Busbar that you have built. \`--quick\` is a trial of a minute, and \`--help\` lists the options.

[The manifest for onthebench.ai](../bench/onthebench/README.md) lets that site measure Tollgate.
`;
}

function formatRun({ startedAt, machine, cores, parameters, skipped, foreignShare }: Comparison): string {
  const programs = `Bun ${machine.bun}, Node ${machine.node ?? missing}, wrk ${machine.wrk}, nginx ${machine.nginx}`;
  const { loadRounds, streamRounds, seconds, requestBytes, streamEvents, streamIntervalMs } = parameters;
  const absent = skipped.map(
    ({ system: name, scenario, reason }) =>
      `- ${titleOf(name)} was not measured${scenario === null ? '' : ` with \`${scenario}\``}: ${reason.replace(/\s+/g, ' ')}.`,
  );
  const { cores: count, processor, kernel, haproxy } = machine;
  return `Measured on ${startedAt.slice(0, 10)} on ${count} cores of ${processor}, Linux ${kernel},
with ${programs} and haproxy ${haproxy ?? missing}.

The systems ran on core ${cores.system}, load and upstream on ${cores.load}.
Each cell has ${loadRounds} rounds of ${seconds} s, and streams have ${streamRounds} rounds.
Other processes used at most ${(foreignShare * 100).toFixed(1)} % of the machine.

Requests have ${formatNumber(requestBytes.unary)} bytes, those of agents ${formatNumber(requestBytes.agent)}.
Streams have ${streamEvents} events, one every ${streamIntervalMs} ms.
${absent.length === 0 ? '' : `\n${absent.join('\n')}\n`}`;
}

function formatResults(comparison: Comparison): string {
  const figures = buildFigures(comparison);
  const behind = figures.filter(({ system: name }) => name !== 'direct');
  return `${formatRun(comparison)}
## Cost and latency of a request
${formatTable(costColumns, behind)}

${picture('cpu.svg')}
${picture('latency.svg')}

## Throughput on one core
${formatTable(frontierColumns, figures)}

${picture('frontier.svg')}

## Streams
${formatTable(streamColumns, figures)}

## Memory
${formatTable(memoryColumns, behind)}

${picture('memory.svg')}

`;
}

const head = `# Benchmarks

How Tollgate compares with other gateways on the same machine, with metering on.
\`bench/compare.ts\` measures and writes this page.

`;

/** Formats the page of a run, or `null` if nothing has been measured yet. */
export function formatPage(comparison: Comparison | null): string {
  const results = comparison === null ? 'No run has been published yet.\n\n' : formatResults(comparison);
  return head + results + formatMethod();
}
