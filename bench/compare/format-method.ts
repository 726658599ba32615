import { allPeers } from '../peers/all-peers.ts';

const ownMetering =
  'a key, its account and plan, a reservation of credit, limits for each minute, token counts, the price, ' +
  'and an entry in the ledger that is durable before the last byte is sent';

/** Formats the part of the page that does not depend on a run. */
export function formatMethod(): string {
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
