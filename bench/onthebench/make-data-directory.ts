import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ChildProcesses } from '../child-processes.ts';
import { findFreePort } from '../find-free-port.ts';
import { buildGatewayCommand, createKey } from '../peers/tollgate.ts';
import { waitUntilAnswering } from '../wait-until-answering.ts';
import { MODEL } from './format-definition.ts';
import { renderTemplate } from './render-template.ts';

/** A start makes these files again. */
const transient = ['address', 'admin-token', 'first-key', 'settlements.spool', 'tollgate.lock'];

/**
 * Starts Tollgate once, so that the folder gets a data directory with a new account.
 * Returns the key of the account.
 */
export async function makeDataDirectory(folder: string, templateFile: string): Promise<string> {
  const children = new ChildProcesses();
  const configurationFile = join(folder, 'config.gen.yaml');
  const logFile = join(folder, 'log');
  const text = await Bun.file(templateFile).text();
  await Bun.write(configurationFile, renderTemplate(text, { MOCK_PORT: '8000', GW_MODEL: MODEL }));
  const port = findFreePort();
  const token = crypto.randomUUID();
  const settings = { port, dataDirectory: join(folder, 'data'), configurationFile, workers: 1 };
  try {
    const child = children.start({
      command: buildGatewayCommand(settings),
      logFile,
      environment: { TOLLGATE_ADMIN_TOKEN: token },
    });
    const url = `http://127.0.0.1:${port}`;
    await waitUntilAnswering({ url: `${url}/healthz`, child, logFile });
    return await createKey({ url, token });
  } finally {
    await children.stopAll();
    const made = transient.map((name) => join(folder, 'data', name));
    for (const file of [configurationFile, logFile, ...made]) rmSync(file, { force: true });
  }
}
