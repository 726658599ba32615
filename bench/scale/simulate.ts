import { parseArgs } from 'node:util';
import { defaultOrder } from './default-order.ts';
import { simulate } from './simulation.ts';
import { zoneLoss } from './zone-loss.ts';

// The plan of docs/scale.md:
// `node scripts/run.mjs bench/scale/simulate.ts [--nodes N --rps N --databases 1,2,4 --cores N]`.

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '100' },
    accounts: { type: 'string', default: '1000000' },
    rps: { type: 'string', default: '100000' },
    databases: { type: 'string', default: '1,2,4,8,16' },
    cores: { type: 'string', default: '32' },
    hot: { type: 'string', default: '0' },
    routed: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
  },
});

console.log('databases  kept   p50 ms   p99 ms   load   group   log MB/s');
for (const databases of values.databases.split(',').map(Number)) {
  const report = simulate({
    ...defaultOrder,
    nodes: Number(values.nodes),
    accounts: Number(values.accounts),
    databases,
    requestsPerSecond: Number(values.rps),
    cores: Number(values.cores),
    hotShare: Number(values.hot),
    isRouted: values.routed,
    forMs: Number(values.seconds) * 1_000,
    seed: Number(values.seed),
  });
  const cells = [
    [String(databases), 9],
    [`${Math.round(report.kept * 100)} %`, 6],
    [report.addedP50Ms.toFixed(1), 9],
    [report.addedP99Ms.toFixed(1), 9],
    [`${Math.round(report.loads.databaseCores * 100)} %`, 7],
    [report.groupSize.toFixed(1), 8],
    [report.logMegabytesPerSecond.toFixed(0), 11],
  ] as const;
  console.log(cells.map(([text, width]) => text.padStart(width)).join(''));
}

const loss = zoneLoss({
  nodes: Number(values.nodes),
  databases: Number(values.databases.split(',').at(-1)),
  zones: 3,
  requestsPerSecond: Number(values.rps),
  answerMs: 2_000,
  failoverMs: 15_000,
  closingMs: 10_000,
});
console.log(
  `\nLoss of one of three zones: ${loss.brokenAnswers} answers break off, ${loss.refusedRequests} requests are refused until the ` +
    `standbys serve, and each remaining node gets ${loss.nodeLoad.toFixed(2)} times its load.`,
);
