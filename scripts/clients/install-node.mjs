import { join } from 'node:path';
import { installPackages } from './install-packages.mjs';

/** The newest releases of some clients need this version of Node.js. */
const NODE_MAJOR = 22;

/** Installs Node.js from npm if this one is too old. Returns the folders to put in front of PATH. */
export async function installNode(cache) {
  if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR) return [];
  const folder = join(cache, `node-${NODE_MAJOR}`);
  await installPackages('npm', `npm install --no-audit --no-fund node@${NODE_MAJOR}`, { folder });
  return [join(folder, 'node_modules', 'node', 'bin')];
}
