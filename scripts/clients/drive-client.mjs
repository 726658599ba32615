import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { environmentOf, pathOf } from './client-environment.mjs';
import { endLeftovers } from './end-leftovers.mjs';
import { installPackages } from './install-packages.mjs';
import { firstPackage, installedVersion } from './installed-version.mjs';
import { readPage } from './read-page.mjs';
import { runScript } from './run-script.mjs';

/** A first check also compiles the SDK. */
const CHECK_TIMEOUT_MS = 600_000;
/** The address that the pages show. */
const PAGE_URL = 'http://127.0.0.1:8080';
const SIMULATOR_MARK = '[simulated]';

/** Installs into the client's own folder what the page installs for the whole machine. */
const localInstall = (script) => script.replaceAll('npm install -g', 'npm install');

/** Installs a client, writes the files of its page and runs the check of the page. */
export async function driveClient(client, { root, cache, gateway, node }) {
  const folder = join(cache, client.id);
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const page = readPage(join(root, 'docs', 'clients', `${client.page}.md`), client.section);
  const path = pathOf(folder, ...node);
  await installPackages(client.tool, localInstall(page.install), { folder, path });

  const fill = (text) => text.replaceAll(PAGE_URL, gateway.url);
  for (const file of page.files) {
    const target = join(file.path.startsWith('~/') ? home : folder, file.path.replace(/^~\//, ''));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, fill(file.body));
  }
  const environment = environmentOf(client.tool, { path, home, key: gateway.key });
  const timeoutMs = CHECK_TIMEOUT_MS;
  const { code, output } = await runScript(fill(page.check), { folder, environment, timeoutMs });
  if (client.tool === 'npm') endLeftovers(home);
  rmSync(home, { recursive: true, force: true });
  const version = installedVersion(client.tool, { folder, name: firstPackage(page.install) });
  if (code !== 0) return { version, problem: `the check ended with ${code}:\n${output}` };
  if (!output.includes(SIMULATOR_MARK)) return { version, problem: `no answer of the simulator:\n${output}` };
  return { version };
}
