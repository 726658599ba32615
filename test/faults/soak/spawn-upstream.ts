import { join } from 'node:path';
import { endWithUs } from '../../support/end-with-us.ts';
import type { CallRecord } from './call-record.ts';

const program = join(import.meta.dir, 'knowing-upstream.ts');

/** Starts the knowing upstream in its process. It does not outlive this one. */
export async function spawnUpstream(seed: number) {
  const child = Bun.spawn([process.execPath, program, String(seed)], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  endWithUs(child);
  const { value } = await child.stdout.getReader().read();
  const url = `http://127.0.0.1:${Number(new TextDecoder().decode(value))}`;
  return {
    url,
    async records(): Promise<CallRecord[]> {
      const text = await (await fetch(`${url}/records`)).text();
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as CallRecord);
    },
    async stop(): Promise<void> {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
}
