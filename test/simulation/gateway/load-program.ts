import { replaceGlobals } from '../kernel/replace-globals.ts';
import { Simulation } from '../kernel/simulation.ts';
import { stage } from '../kernel/stage.ts';
import { MADE_AT } from './configuration.ts';
import type { Program } from './gateway.ts';

/** Replaces what the runtime takes from outside, and loads the program with its threads. */
export async function loadProgram(): Promise<Program> {
  replaceGlobals();
  stage.enter(new Simulation({ seed: 0, startsAt: MADE_AT }));
  const program = await import('../../../src/program/server/serve.ts');
  await import('../../../src/translation/tokens/count-in-thread.ts');
  const { loadSliceCounter } = await import('../../../src/translation/tokens/vocabulary.ts');
  for (const name of ['o200k', 'cl100k'] as const) await loadSliceCounter(name);
  stage.leave();
  return program;
}
