import { parseArgs } from 'node:util';
import { inSandbox } from '../in-sandbox.ts';
import type { Attack } from './attack.ts';
import { attacks, proxiedAttacks } from './attacks.ts';
import { repeatPings } from './bystander.ts';
import { startStrainedGateway } from './start-strained-gateway.ts';
import type { StrainedServer } from './strained-configuration.ts';

const usage = 'node scripts/run.mjs bench/strain/run-strain.ts [--only WORDS] [--memory-mb LIMIT]';
/** The gateway frees memory in this time after an attack. */
const SETTLING_MS = 5_000;

type AttackRun = { name: string; attack: Attack; server: StrainedServer };

const runs: readonly AttackRun[] = [
  ...Object.entries(attacks).map(([name, attack]) => ({ name, attack, server: {} })),
  ...Object.entries(proxiedAttacks).map(([name, attack]) => ({
    name,
    attack,
    server: { trusted_proxies: ['127.0.0.1'] },
  })),
];

const formatFigure = (value: number, unit: string): string => `${value.toFixed(0)} ${unit}`.padStart(8);

/** Runs an attack on a gateway of its own, and prints a row with the figures. */
const runAttack = ({ name, attack, server }: AttackRun): Promise<void> =>
  inSandbox('strain', async ({ directory, processes }) => {
    const gateway = await startStrainedGateway({ children: processes(), directory }, server);
    await Bun.sleep(500);
    await gateway.strain();
    const stop = repeatPings(gateway);
    const outcome = await attack(gateway);
    const longestMs = Math.max(...(await stop()));
    const { stallMs, stallCpuMs, peakMb } = await gateway.strain();
    await Bun.sleep(SETTLING_MS);
    const { residentMb } = await gateway.strain();
    const figures = [
      formatFigure(stallCpuMs, 'ms'),
      formatFigure(stallMs, 'ms'),
      formatFigure(longestMs, 'ms'),
      formatFigure(peakMb, 'MB'),
      formatFigure(residentMb, 'MB'),
    ];
    console.log(`| ${name.padEnd(32)} | ${figures.join(' | ')} | ${outcome}`);
  });

const { values } = parseArgs({ options: { only: { type: 'string' }, 'memory-mb': { type: 'string' } } });
const chosen = runs.filter(({ name }) => name.includes(values.only ?? ''));
if (chosen.length === 0) throw new Error(usage);
const memoryMb = values['memory-mb'];
const memory = memoryMb === undefined ? {} : { memory_limit_mb: Number(memoryMb) };
console.log('| attack | stall (CPU) | stall (wall) | bystander | peak | 5 s later | outcome');
for (const { server, ...run } of chosen) await runAttack({ ...run, server: { ...server, ...memory } });
