import { join } from 'node:path';

/** A program of this folder that attacks until it is stopped, and what it reads from its environment. */
type Flood = {
  program: 'flood-sign-in.ts' | 'flood-dashboard.ts';
  environment: Readonly<Record<string, string>>;
};

/** The time that a flood needs to start. It is measured from its first request on. */
const START_MS = 300;

/** Measures during a flood. Returns the result, and what the flood printed at its end. */
export async function duringFlood<Result>(
  { program, environment }: Flood,
  measure: () => Promise<Result>,
): Promise<{ result: Result; printed: string }> {
  const flood = Bun.spawn([process.execPath, join(import.meta.dir, program)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await Bun.sleep(START_MS);
    const result = await measure();
    flood.kill();
    return { result, printed: (await new Response(flood.stdout).text()).trim() };
  } finally {
    flood.kill();
    await flood.exited;
  }
}
