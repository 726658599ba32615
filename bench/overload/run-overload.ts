import { parseArgs } from 'node:util';
import { keysOf } from '../../src/base/lib/records.ts';
import { measureLive } from '../batches/measure-live.ts';
import { measureMemory } from '../batches/measure-memory.ts';
import { measureSpeed } from '../batches/measure-speed.ts';
import { inSandbox } from '../in-sandbox.ts';
import type { Workplace } from '../workplace.ts';
import { type Finding, formatFinding } from './finding.ts';
import { measureFaults } from './measure-faults.ts';
import { measureFlood } from './measure-flood.ts';
import { measureGoodput } from './measure-goodput.ts';
import { runWithRequestLimit } from './run-with-request-limit.ts';

type Measure = (workplace: Workplace, seconds: number) => Promise<Finding[]>;
const parts = {
  goodput: measureGoodput,
  flood: measureFlood,
  faults: measureFaults,
  'batch-speed': measureSpeed,
  'batch-live': measureLive,
  'batch-memory': measureMemory,
} satisfies Readonly<Record<string, Measure>>;
const partNames = keysOf(parts);

/** Goodput needs this long, since the queue first fills up to its steady length. */
const MIN_SECONDS = 4;
const usage = `node scripts/run.mjs bench/overload/run-overload.ts [--seconds 10] [--parts ${partNames.join(',')}]`;

/** Measures one part with a gateway of its own. */
const runPart = (measure: Measure, seconds: number): Promise<Finding[]> =>
  inSandbox('overload', ({ directory, processes }) => measure({ children: processes(), directory }, seconds));

/** Runs the parts. Returns 1 if a goal was missed, 2 for invalid arguments. */
async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '10' },
      parts: { type: 'string', default: partNames.join(',') },
    },
  });
  const words = values.parts.split(',');
  const names = partNames.filter((name) => words.includes(name));
  const seconds = Number(values.seconds);
  if (names.length < words.length || !(seconds >= MIN_SECONDS)) {
    console.error(usage);
    return 2;
  }
  let missesGoal = false;
  for (const name of names) {
    console.log(name);
    const findings = await runPart(parts[name], seconds);
    for (const finding of findings) console.log(formatFinding(finding));
    missesGoal ||= findings.some(({ goal }) => goal?.isMet === false);
  }
  return missesGoal ? 1 : 0;
}

process.exitCode = await runWithRequestLimit(run);
