import { parseArgs } from 'node:util';
import { askForAnswers, sendBodies, stallReaders, tally } from './memory/attacks.ts';
import { observeStrain, type Strain } from './memory/observe-strain.ts';
import { startStrainedServer } from './memory/start-strained-server.ts';

// Measures the server's memory under large requests and answers.
// Not a test: it takes minutes on a busy machine. bun test/faults/memory.ts [--bodies 500] [--readers 500]
// [--answers 10] [--memory-mb LIMIT] [--most-mb BOUND]

const { values } = parseArgs({
  options: {
    bodies: { type: 'string' },
    readers: { type: 'string' },
    answers: { type: 'string' },
    'memory-mb': { type: 'string' },
    'most-mb': { type: 'string' },
  },
});
const limit = values['memory-mb'];
const settings = limit === undefined ? {} : { memory_limit_mb: Number(limit) };
const maxMb = Number(values['most-mb'] ?? Number.POSITIVE_INFINITY);
let isWithin = true;

async function run<T>(
  name: string,
  attack: (gateway: Awaited<ReturnType<typeof startStrainedServer>>) => Promise<T>,
  report: (strain: Strain<T>) => string,
): Promise<void> {
  await using gateway = await startStrainedServer(settings);
  const strain = await observeStrain(gateway, () => attack(gateway));
  const { idleMb, peakMb, afterMb, backAfterMs, tookMs, bystander } = strain;
  isWithin &&= peakMb < maxMb && backAfterMs !== undefined;
  const served = bystander.statuses.filter((status) => status === 200).length;
  const back = backAfterMs === undefined ? 'not back' : `back after ${(backAfterMs / 1000).toFixed(1)} s`;
  console.log(
    `${name} (${(tookMs / 1000).toFixed(1)} s): idle ${idleMb.toFixed(0)} MB, peak ${peakMb.toFixed(0)} MB, ` +
      `${back} with ${afterMb.toFixed(0)} MB; ${report(strain)}\n  bystander: ${served} of ${bystander.statuses.length} ` +
      `served, median ${bystander.p50Ms.toFixed(0)} ms, longest ${bystander.longestMs.toFixed(0)} ms`,
  );
  const errors = gateway.server
    .log()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'));
  if (errors.length > 0) console.log(`  ${errors.length} errors, the first: ${errors[0]!.slice(0, 500)}`);
}

if (values.bodies !== undefined) {
  const times = Number(values.bodies);
  await run(
    `${times} bodies`,
    (gateway) => sendBodies(gateway, times),
    ({ result }) => tally(result),
  );
}
if (values.readers !== undefined) {
  const times = Number(values.readers);
  await run(
    `${times} readers`,
    (gateway) => stallReaders(gateway, times),
    ({ result: { steadyMb }, idleMb }) => `${(steadyMb - idleMb).toFixed(0)} MB more while they stall`,
  );
}
if (values.answers !== undefined) {
  const times = Number(values.answers);
  await run(
    `${times} answers`,
    (gateway) => askForAnswers(gateway, times),
    ({ result }) => tally(result),
  );
}
process.exit(isWithin ? 0 : 1);
