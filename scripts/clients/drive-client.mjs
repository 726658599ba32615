import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { environmentOf, pathOf } from './client-environment.mjs';
import { endLeftovers } from './end-leftovers.mjs';
import { INSTALL_TIMEOUT_MS, preparations } from './installations.mjs';
import { firstPackage, installedVersion } from './installed-version.mjs';
import { readPage } from './read-page.mjs';
import { runScript } from './run-script.mjs';

/** A first check also compiles the SDK. */
const CHECK_TIMEOUT_MS = 600_000;
/** The address that the pages show. */
const SHOWN = 'http://127.0.0.1:8080';
const MARK = '[simulated]';

/** A global installation of the page becomes one in the client's own folder. */
const locally = (script) => script.replaceAll('npm install -g', 'npm install');

/** Installs a client, writes the files of its page and runs the check of the page. */
export async function driveClient(client, { root, cache, gateway, node }) {
  const folder = join(cache, client.id);
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const page = readPage(join(root, 'docs', 'clients', `${client.page}.md`), client.section);
  const path = pathOf(folder, ...node);
  const installing = { folder, environment: { ...process.env, PATH: path }, timeoutMs: INSTALL_TIMEOUT_MS };
  const steps = [preparations[client.tool], locally(page.install)].filter(Boolean).join('\n');
  const installed = await runScript(steps, installing);
  if (installed.code !== 0) return { problem: `the installation failed:\n${installed.output}` };

  const fill = (text) => text.replaceAll(SHOWN, gateway.url);
  for (const file of page.files) {
    const target = join(file.path.startsWith('~/') ? home : folder, file.path.replace(/^~\//, ''));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, fill(file.body));
  }
  const environment = environmentOf(client.tool, { path, home, key: gateway.key });
  const checked = await runScript(fill(page.check), { folder, environment, timeoutMs: CHECK_TIMEOUT_MS });
  if (client.tool === 'npm') endLeftovers(home);
  rmSync(home, { recursive: true, force: true });
  const version = installedVersion(client.tool, { folder, name: firstPackage(page.install) });
  if (checked.code !== 0)
    return { version, problem: `the check ended with ${checked.code}:\n${checked.output}` };
  if (!checked.output.includes(MARK))
    return { version, problem: `no answer of the simulator:\n${checked.output}` };
  return { version };
}
