import { parseArgs } from 'node:util';
import type { Attack } from './attacks/attack.ts';
import { openAttackedGateway } from './attacks/attacked-gateway.ts';
import { formatOutcomes, type Judged } from './attacks/format-outcomes.ts';
import { BACK_WITHIN_MS, judgeAttack } from './attacks/judge-attack.ts';
import { runAttack } from './attacks/run-attack.ts';

// Runs every attack in full on a separate server, as a program: `bun test/faults/attacks.ts [--only TEXT]
// [--bodies 150] [--quiet-ms 4000] [--memory-limit-mb N]`. `--only` can be repeated.

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    bodies: { type: 'string', default: '150' },
    'quiet-ms': { type: 'string', default: '4000' },
    'memory-limit-mb': { type: 'string' },
  },
});
process.env.ATTACK_BODIES = values.bodies; // the attacker's process reads it as well
const { attacks } = await import('./attacks/attack-table.ts');
const wanted = attacks.filter(({ name }) => values.only?.some((text) => name.includes(text)) ?? true);
if (wanted.length === 0) {
  console.error(`No attack has a name with ${values.only?.join(' or ')}.`);
  process.exit(2);
}
const quietMs = countFrom('quiet-ms');
const settings =
  values['memory-limit-mb'] === undefined ? {} : { memory_limit_mb: countFrom('memory-limit-mb') };

function countFrom(option: 'quiet-ms' | 'memory-limit-mb'): number {
  const count = Number(values[option]);
  if (Number.isSafeInteger(count) && count >= 0) return count;
  console.error(`--${option} takes a whole number, not ${values[option]}.`);
  process.exit(2);
}

async function judged(attack: Attack): Promise<Judged> {
  const gateway = await openAttackedGateway([attack], settings);
  try {
    const outcome = await runAttack(gateway, attack, {
      warmMs: 500,
      quietMs,
      patienceMs: BACK_WITHIN_MS,
      timeScale: 1,
      scale: 1,
    });
    return { ...outcome, verdict: judgeAttack(outcome, attack) };
  } finally {
    await gateway.stop();
  }
}

const outcomes: Judged[] = [];
for (const attack of wanted) {
  const outcome = await judged(attack);
  outcomes.push(outcome);
  console.error(`${attack.name}: ${outcome.verdict.join('; ') || 'holds'}`);
}
console.log(formatOutcomes(outcomes));
process.exit(outcomes.every(({ verdict }) => verdict.length === 0) ? 0 : 1);
