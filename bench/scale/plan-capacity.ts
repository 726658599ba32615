import { defaultOrder } from './default-order.ts';
import { findCapacity } from './find-capacity.ts';
import { measured } from './service-times.ts';
import type { SimulationOrder } from './simulation-order.ts';
import type { Loads } from './simulation-report.ts';

// What one Postgres carries, what saturates first, and what moves it:
// `node scripts/run.mjs bench/scale/plan-capacity.ts`.

const bound = { addedP99Ms: 50 };

/** The answer of the provider is short here, because its length does not change the load. */
const base: SimulationOrder = { ...defaultOrder, answerMs: 10 };

const plans: Readonly<Record<string, Partial<SimulationOrder>>> = {
  'one database, 100 nodes': {},
  '25 nodes': { nodes: 25 },
  '64 cores': { cores: 64 },
  '2 databases': { databases: 2 },
  '4 databases': { databases: 4 },
  '2 databases, accounts routed to the nodes of theirs': { databases: 2, isRouted: true },
  '4 databases, accounts routed to the nodes of theirs': { databases: 4, isRouted: true },
  'all requests of one account': { hotShare: 1 },
  'all requests of one account, on 8 nodes': { hotShare: 1, nodes: 8 },
};

const names: Readonly<Record<keyof Loads, string>> = {
  databaseCores: 'cores of the database',
  databaseLog: 'log of the database',
  busiestAccount: 'settlements of one account',
  nodeGroups: 'groups of the nodes',
  nodeCores: 'cores of the nodes',
};

const percent = (share: number) => `${Math.round(share * 100)} %`;

console.log(
  `Service times of ${measured.measuredOn}: ${measured.machine}. Bound: an added p99 of ${bound.addedP99Ms} ms.\n`,
);
console.log('| plan | requests a second | added p50 | load of its cores | group | saturates first |');
console.log('| - | - | - | - | - | - |');
for (const [plan, changes] of Object.entries(plans)) {
  const { requestsPerSecond, report, bottleneck } = findCapacity({ ...base, ...changes }, bound);
  const cells = [
    plan,
    requestsPerSecond.toLocaleString('en-US', { maximumFractionDigits: 0 }),
    `${report.addedP50Ms.toFixed(1)} ms`,
    percent(report.loads.databaseCores),
    report.groupSize.toFixed(1),
    names[bottleneck],
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
