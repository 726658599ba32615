import type { Skipped } from '../benchmark-report.ts';
import { formatNumber, NOT_MEASURED } from '../format-spread.ts';
import { buildFigures } from './build-figures.ts';
import type { Comparison } from './comparison.ts';
import { type PictureFile, pictures } from './draw-picture.ts';
import { formatMethod } from './format-method.ts';
import { formatPageTable } from './format-page-table.ts';
import { titleOf } from './title-of.ts';

const formatPicture = (file: PictureFile): string => `![${pictures[file].title}](benchmarks/${file})`;

function formatAbsence({ system, scenario, reason }: Skipped): string {
  const load = scenario === null ? '' : ` with \`${scenario}\``;
  return `- ${titleOf(system)} was not measured${load}: ${reason.replace(/\s+/g, ' ')}.`;
}

/** Formats the circumstances of a run. */
function formatRun({ startedAt, machine, cores, parameters, skipped, foreignShare }: Comparison): string {
  const programs = `Bun ${machine.bun}, Node ${machine.node ?? NOT_MEASURED}, wrk ${machine.wrk}, nginx ${machine.nginx}`;
  const { loadRounds, streamRounds, seconds, requestBytes, streamEvents, streamIntervalMs } = parameters;
  const absences = skipped.map(formatAbsence);
  const { cores: count, processor, kernel, haproxy } = machine;
  return `Measured on ${startedAt.slice(0, 10)} on ${count} cores of ${processor}, Linux ${kernel},
with ${programs} and haproxy ${haproxy ?? NOT_MEASURED}.

The systems ran on core ${cores.system}, load and upstream on ${cores.load}.
Each cell has ${loadRounds} rounds of ${seconds} s, and streams have ${streamRounds} rounds.
Other processes used at most ${(foreignShare * 100).toFixed(1)} % of the machine.

Requests have ${formatNumber(requestBytes.unary)} bytes, those of agents ${formatNumber(requestBytes.agent)}.
Streams have ${streamEvents} events, one every ${streamIntervalMs} ms.
${absences.length === 0 ? '' : `\n${absences.join('\n')}\n`}`;
}

function formatResults(comparison: Comparison): string {
  const figures = buildFigures(comparison);
  const withoutUpstream = figures.filter(({ system }) => system !== 'direct');
  return `${formatRun(comparison)}
## Cost and latency of a request
${formatPageTable('cost', withoutUpstream)}

${formatPicture('cpu.svg')}
${formatPicture('latency.svg')}

## Throughput on one core
${formatPageTable('frontier', figures)}

${formatPicture('frontier.svg')}

## Streams
${formatPageTable('streams', figures)}

## Memory
${formatPageTable('memory', withoutUpstream)}

${formatPicture('memory.svg')}

`;
}

const head = `# Benchmarks

How Tollgate compares with other gateways on the same machine, with metering on.
\`bench/compare.ts\` measures and writes this page.

`;

/** Formats the page of a run. `null` means that nothing has been measured yet. */
export function formatPage(comparison: Comparison | null): string {
  const results = comparison === null ? 'No run has been published yet.\n\n' : formatResults(comparison);
  return head + results + formatMethod();
}
