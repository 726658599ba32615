import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ChildProcesses } from '../../bench/child-processes.ts';
import { repeatPings } from '../../bench/strain/bystander.ts';
import { startStrainedGateway } from '../../bench/strain/start-strained-gateway.ts';
import { stallAttacks } from './stall-attacks.ts';

// Measures how long large requests and answers block the event loop, as a program:
// `bun test/faults/stalls.ts [--only WORDS] [--longest-s 300]`. `cpu` is the longest CPU time of one turn of
// the server's event loop. `gap` is the longest time of a turn by the clock. `bystander` is the slowest
// request of another client. Only `cpu` is meaningful on a busy machine.

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, 'longest-s': { type: 'string', default: '300' } },
});
const children = new ChildProcesses();
const directory = mkdtempSync(join(tmpdir(), 'tollgate-stalls-'));
const deadline = performance.now() + Number(values['longest-s']) * 1_000;
try {
  const gateway = await startStrainedGateway({ children, directory });
  console.log('| attack                                   |    cpu |    gap | bystander | outcome');
  for (const { name, run } of stallAttacks.filter(({ name }) => name.includes(values.only))) {
    if (performance.now() > deadline) {
      console.log(`| ${name.padEnd(40)} | left out, since --longest-s is over`);
      continue;
    }
    await Bun.sleep(300);
    await gateway.strain();
    const stop = repeatPings(gateway);
    const outcome = await run(gateway).finally(stop);
    const longestMs = Math.max(...(await stop()));
    const { stallCpuMs, stallMs } = await gateway.strain();
    const [cpu, gap, waited] = [stallCpuMs, stallMs, longestMs].map((ms) => ms.toFixed(0).padStart(6));
    console.log(`| ${name.padEnd(40)} | ${cpu} | ${gap} | ${waited?.padStart(9)} | ${outcome}`);
  }
} finally {
  await children.stopAll();
  rmSync(directory, { recursive: true, force: true });
}
