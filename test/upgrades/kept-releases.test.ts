import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { isOnPostgres } from '../support/postgres/database-of.ts';
import { runProgram } from '../support/spawn-program.ts';
import { startServer } from '../support/start-server.ts';
import { expectKept } from './support/expect-kept.ts';
import {
  clockAfter,
  expectedOf,
  loadDatabase,
  preloadedClock,
  unpackDirectory,
} from './support/kept-release.ts';
import { releaseConfig } from './support/release-config.ts';
import { DATABASE_TOKEN, releases } from './support/releases.ts';

// What released versions left when they were killed in the middle of traffic, started with this version.

const place = mkdtempSync(join(tmpdir(), 'tollgate-releases-'));
const upstream = serveSimulator();
afterAll(async () => {
  await upstream.stop();
  rmSync(place, { recursive: true, force: true });
});

const config = releaseConfig(upstream.url);

for (const { name, stores } of releases)
  for (const store of stores)
    test.skipIf(isOnPostgres)(
      `the ${store} store of a killed ${name} starts with all that it had`,
      async () => {
        const expected = expectedOf(name, store);
        const environment: Record<string, string> = clockAfter(expected);
        const dataDirectory = join(place, `${name}-${store}`);
        if (store === 'embedded') unpackDirectory(name, dataDirectory);
        else {
          environment.DATABASE_URL = await loadDatabase(name, expected.killedAt + 5_000);
          environment.TOLLGATE_ADMIN_TOKEN = DATABASE_TOKEN;
        }
        const server = await startServer({ config, dataDirectory, environment, preload: preloadedClock });
        try {
          expect(server.log()).toContain('"event":"migrated"');
          await expectKept(server, expected);
        } finally {
          await server.stop();
        }
        const where =
          store === 'embedded' ? ['--data', dataDirectory] : ['--database-url', environment.DATABASE_URL!];
        const verified = await runProgram(['ledger', 'verify', ...where]);
        expect({ code: verified.code, stderr: verified.stderr }).toEqual({ code: 0, stderr: '' });
      },
    );
