import { PostgresBuild } from '../database/postgres-build.ts';
import { replaceGlobals } from '../kernel/replace-globals.ts';
import { Simulation } from '../kernel/simulation.ts';
import { stage } from '../kernel/stage.ts';
import { MADE_AT } from './configuration.ts';
import type { Program } from './gateway.ts';
import type { StoreKind } from './store-kind.ts';

export type LoadedProgram = { program: Program; build: PostgresBuild | undefined };

/**
 * Replaces what the runtime takes from outside. Loads the program, its threads and, for Postgres, its build.
 */
export async function loadProgram(store: StoreKind): Promise<LoadedProgram> {
  replaceGlobals();
  stage.enter(new Simulation({ seed: 0, startsAt: MADE_AT }));
  const program = await import('../../../src/program/server/serve.ts');
  await import('../../../src/translation/tokens/count-in-thread.ts');
  const { loadSliceCounter } = await import('../../../src/translation/tokens/vocabulary.ts');
  for (const name of ['o200k', 'cl100k'] as const) await loadSliceCounter(name);
  const build = store === 'postgres' ? await PostgresBuild.create() : undefined;
  stage.leave();
  return { program, build };
}
