import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { waitFor } from '../support/wait-for.ts';

const program = join(import.meta.dir, '../../bin/tollgate');

test('a server whose output cannot be written continues to serve, reports it once and exits with 0', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-full-'));
  const port = await freePort();
  const config = join(directory, 'tollgate.yaml');
  writeFileSync(config, 'server: { drain_notice_s: 0 }\n');
  const command = `exec "${program}" serve --config "${config}" --port ${port} --data "${directory}" > /dev/full`;
  const child = Bun.spawn(['sh', '-c', command], { stderr: 'pipe' });
  const statusOf = (path: string): Promise<number> =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => 0,
    );
  await waitFor(async () => (await statusOf('/healthz')) === 200);
  for (let count = 0; count < 3; count++) {
    expect(await statusOf('/v1/models/none')).toBe(404);
    // The pause is longer than the time that lines of the log wait for each other, so that each is a failure
    // of its own.
    await Bun.sleep(60);
  }
  child.kill('SIGTERM');
  expect(await child.exited).toBe(0);
  expect(await child.stderr.text()).toMatch(/^tollgate: cannot write to standard output: ENOSPC[^\n]*\n$/);
  rmSync(directory, { recursive: true });
}, 60_000);
