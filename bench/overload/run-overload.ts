import { parseArgs } from 'node:util';
import { measureLive } from '../batches/measure-live.ts';
import { measureMemory } from '../batches/measure-memory.ts';
import { measureSpeed } from '../batches/measure-speed.ts';
import { inSandbox } from '../in-sandbox.ts';
import { type Finding, formatFinding } from './finding.ts';
import { measureFaults } from './measure-faults.ts';
import { measureFlood } from './measure-flood.ts';
import { measureGoodput } from './measure-goodput.ts';
import type { Surroundings } from './start-loaded-gateway.ts';

const usage =
  'node scripts/run.mjs bench/overload/run-overload.ts [--seconds 10] [--parts goodput,flood,faults,batch-speed,batch-live,batch-memory]';

type Part = (around: Surroundings, seconds: number) => Promise<Finding[]>;
const parts: Readonly<Record<string, Part>> = {
  goodput: measureGoodput,
  flood: measureFlood,
  faults: measureFaults,
  'batch-speed': measureSpeed,
  'batch-live': measureLive,
  'batch-memory': measureMemory,
};

/** Runs a part with its own gateway. */
const runPart = (part: Part, seconds: number): Promise<Finding[]> =>
  inSandbox('overload', ({ directory, processes }) => part({ children: processes(), directory }, seconds));

/** Runs the parts. Returns 1 if a goal was missed, 2 for invalid arguments. */
async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '10' },
      parts: { type: 'string', default: Object.keys(parts).join(',') },
    },
  });
  const names = values.parts.split(',');
  const seconds = Number(values.seconds);
  if (!names.every((name) => name in parts) || !(seconds >= 4)) {
    console.error(usage);
    return 2;
  }
  let isMissed = false;
  for (const name of names) {
    console.log(name);
    const findings = await runPart(parts[name]!, seconds);
    for (const finding of findings) console.log(formatFinding(finding));
    isMissed ||= findings.some(({ goal }) => goal?.isMet === false);
  }
  return isMissed ? 1 : 0;
}

/**
 * The runtime limits concurrent requests, which would close the loop. It reads the limit only at its start.
 */
const CONNECTIONS = { BUN_CONFIG_MAX_HTTP_REQUESTS: '20000' };

if (import.meta.main) {
  if (process.env.BUN_CONFIG_MAX_HTTP_REQUESTS === undefined) {
    const command = [process.execPath, ...process.argv.slice(1)];
    const env = { ...process.env, ...CONNECTIONS };
    process.exitCode = await Bun.spawn(command, { env, stdio: ['inherit', 'inherit', 'inherit'] }).exited;
  } else process.exitCode = await run();
}
