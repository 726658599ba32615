import { parseArgs } from 'node:util';
import { inSandbox } from '../in-sandbox.ts';
import { type Attack, attacks, DASHBOARD_FLOOD, SIGN_IN_FLOOD } from './attacks.ts';
import { floodSettings } from './sign-in-flood.ts';
import { type StrainedGateway, startStrainedGateway } from './start-strained-gateway.ts';

const usage = 'node scripts/run.mjs bench/strain/run-strain.ts [--only WORDS] [--memory-mb LIMIT]';
const PING_MS = 20;

/** Sends small requests of an uninvolved account at intervals. Returns the longest time that one took. */
export function bystand({ url }: StrainedGateway) {
  const took: number[] = [];
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const asked = performance.now();
      await fetch(`${url}/healthz`).then((answer) => answer.text());
      took.push(performance.now() - asked);
      await Bun.sleep(PING_MS);
    }
  })();
  return async () => {
    isOver = true;
    await running;
    return Math.max(...took);
  };
}

const figure = (value: number, unit: string): string => `${value.toFixed(0)} ${unit}`.padStart(8);

const runAttack = (name: string, attack: Attack, settings: Record<string, unknown>): Promise<void> =>
  inSandbox('strain', async ({ directory, processes }) => {
    const gateway = await startStrainedGateway({ children: processes(), directory }, settings);
    await Bun.sleep(500);
    await gateway.strain();
    const stop = bystand(gateway);
    const outcome = await attack(gateway);
    const longestMs = await stop();
    const { stallMs, stallCpuMs, peakMb } = await gateway.strain();
    await Bun.sleep(5_000);
    const { residentMb } = await gateway.strain();
    const figures = [
      figure(stallCpuMs, 'ms'),
      figure(stallMs, 'ms'),
      figure(longestMs, 'ms'),
      figure(peakMb, 'MB'),
      figure(residentMb, 'MB'),
    ];
    console.log(`| ${name.padEnd(32)} | ${figures.join(' | ')} | ${outcome}`);
  });

if (import.meta.main) {
  const { values } = parseArgs({ options: { only: { type: 'string' }, 'memory-mb': { type: 'string' } } });
  const chosen = Object.entries(attacks).filter(([name]) => name.includes(values.only ?? ''));
  if (chosen.length === 0) throw new Error(usage);
  const memoryMb = values['memory-mb'];
  const memory = memoryMb === undefined ? {} : { memory_limit_mb: Number(memoryMb) };
  const settingsOf = (name: string) => ({
    server: {
      drain_notice_s: 0,
      ...([SIGN_IN_FLOOD, DASHBOARD_FLOOD].includes(name) && floodSettings.server),
      ...memory,
    },
  });
  console.log('| attack | stall (CPU) | stall (wall) | bystander | peak | 5 s later | outcome');
  for (const [name, attack] of chosen) await runAttack(name, attack, settingsOf(name));
}
