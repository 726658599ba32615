import { join } from 'node:path';
import { entriesOf } from '../../src/base/lib/records.ts';
import { findFreePort } from '../find-free-port.ts';
import { waitUntilAnswering } from '../wait-until-answering.ts';
import type { Workplace } from '../workplace.ts';
import type { Load } from './load.ts';

const program = join(import.meta.dir, 'slow-upstream.ts');

/** A running upstream. A PUT to `control` changes its mood. */
export type SlowUpstream<Model extends string> = { id: string; model: Model; url: string; control: string };

async function startSlowUpstream<Model extends string>(
  { children, directory }: Workplace,
  { model, id, thinkingMs }: { model: Model; id: string; thinkingMs: number },
): Promise<SlowUpstream<Model>> {
  const port = findFreePort();
  const controlPort = findFreePort();
  const logFile = join(directory, `${id}.log`);
  const command = [process.execPath, program, String(port), String(controlPort), String(thinkingMs)];
  const child = children.start({ command, logFile });
  const control = `http://127.0.0.1:${controlPort}`;
  await waitUntilAnswering({ url: control, child, logFile });
  return { model, id, url: `http://127.0.0.1:${port}`, control };
}

/** Starts the upstreams of each model, one after the other. */
export async function startSlowUpstreams<Model extends string>(
  workplace: Workplace,
  { models, thinkingMs }: Load<Model>,
): Promise<SlowUpstream<Model>[]> {
  const upstreams: SlowUpstream<Model>[] = [];
  for (const [model, count] of entriesOf(models))
    for (let number = 0; number < count; number++)
      upstreams.push(await startSlowUpstream(workplace, { model, id: `${model}-${number}`, thinkingMs }));
  return upstreams;
}
