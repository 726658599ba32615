import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { counted } from '../../base/lib/counted.ts';
import { siteFiles } from '../../console/manual/site-files.ts';
import { Logger } from '../../watch/observability/logger.ts';
import { assemble } from '../assembly/assemble.ts';
import type { AssembledServer } from '../assembly/assembled-server.ts';
import type { Run } from './command.ts';
import { CommandFailure, UsageError } from './command-failure.ts';
import { printJson } from './print-answer.ts';

const DEFAULT_ADDRESS = 'http://127.0.0.1:8080';

/** Writes the documentation as a static site. */
export const buildDocs: Run = async (invocation) => {
  const folder = invocation.required('DIR');
  const address = addressOf(invocation.text('address') ?? DEFAULT_ADDRESS);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new CommandFailure(`${folder} is not empty: name a new directory, or empty this one`);
  let count = 0;
  await withServer((server) => {
    const facts = { routes: server.documented(), snapshot: server.snapshot(), address };
    for (const { place, text } of siteFiles(facts)) {
      const path = join(folder, place);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      count++;
    }
  });
  if (invocation.flag('json')) printJson(invocation, { directory: folder, files: count });
  else
    invocation.terminal.print(
      `Wrote ${counted(count, 'file')} to ${folder}. Open ${join(folder, 'index.html')}.`,
    );
  return 0;
};

function addressOf(text: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new UsageError('--address must be a URL that begins with http:// or https://');
  return text.replace(/\/+$/, '');
}

/**
 * Assembles a server of the built-in configuration that never listens. The routes of its table are what the
 * reference describes.
 */
async function withServer(use: (server: AssembledServer) => void): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'tollgate-docs-'));
  try {
    const server = await assemble({
      origin: { file: null, environment: { TOLLGATE_LOCAL_SERVERS: 'off' }, overrides: { data } },
      adminTokenHash: async () => 'none', // the hash of no token
      logger: () => new Logger({ level: 'error', format: 'text', write: () => {}, now: Date.now }),
      examine: async () => {
        throw new Error('a server that does not listen is not examined');
      },
    });
    if (!('documented' in server)) throw new Error('the built-in configuration has problems');
    try {
      use(server);
    } finally {
      await server.close();
    }
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}
