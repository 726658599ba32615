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

type Part = (workplace: Workplace, seconds: number) => Promise<Finding[]>;
const parts = {
  goodput: measureGoodput,
  flood: measureFlood,
  faults: measureFaults,
  'batch-speed': measureSpeed,
  'batch-live': measureLive,
  'batch-memory': measureMemory,
} satisfies Readonly<Record<string, Part>>;
const partNames = keysOf(parts);

const usage = `node scripts/run.mjs bench/overload/run-overload.ts [--seconds 10] [--parts ${partNames.join(',')}]`;
/** The goodput is measured only when the queue has its length. */
const MIN_SECONDS = 4;

/** Runs a part with its own gateway. */
const runPart = (part: Part, seconds: number): Promise<Finding[]> =>
  inSandbox('overload', ({ directory, processes }) => part({ children: processes(), directory }, seconds));

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
  let isMissed = false;
  for (const name of names) {
    console.log(name);
    const findings = await runPart(parts[name], seconds);
    for (const finding of findings) console.log(formatFinding(finding));
    isMissed ||= findings.some(({ goal }) => goal?.isMet === false);
  }
  return isMissed ? 1 : 0;
}

/** The runtime reads this limit at its start. Its default would close the loop. */
const LIMIT_VARIABLE = 'BUN_CONFIG_MAX_HTTP_REQUESTS';
const MAX_REQUESTS = '20000';

/** Runs this program again with a higher limit of concurrent requests. */
const runUnlimited = (): Promise<number> =>
  Bun.spawn([process.execPath, ...process.argv.slice(1)], {
    env: { ...process.env, [LIMIT_VARIABLE]: MAX_REQUESTS },
    stdio: ['inherit', 'inherit', 'inherit'],
  }).exited;

process.exitCode = process.env[LIMIT_VARIABLE] === undefined ? await runUnlimited() : await run();
