import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = /(?:npm install|pip install|go get|cargo add)(?: -\S+)* (\S+)/;

const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** The command with which each tool shows the version of an installed package. */
const versions = {
  npm: (folder, name) => JSON.parse(read(join(folder, 'node_modules', name, 'package.json')) || '{}').version,
  pip(folder, name) {
    const { stdout } = spawnSync(join(folder, 'python', 'bin', 'pip'), ['show', name], { encoding: 'utf8' });
    return /^Version: (.*)$/m.exec(stdout ?? '')?.[1];
  },
  go: (folder, name) => new RegExp(`${name} v(\\S+)`).exec(read(join(folder, 'go.mod')))?.[1],
  cargo: (folder, name) =>
    new RegExp(`^${name} .*?"([\\d.]+)"`, 'm').exec(read(join(folder, 'Cargo.toml')))?.[1],
  mvn(folder, name) {
    const artifact = `<artifactId>${name || '\\S+-java'}</artifactId>`;
    return new RegExp(`${artifact}\\s*<version>([^<]+)`).exec(read(join(folder, 'pom.xml')))?.[1];
  },
};

/** Returns the name of the first package of an installation script. */
export const firstPackage = (script) =>
  (PACKAGE.exec(script)?.[1] ?? '').replace(/(?<=.)(?:@|[=~<>]=|\[).*$/, '');

/** Returns the version of an installed package, or an empty text. */
export const installedVersion = (tool, { folder, name }) => versions[tool](folder, name) ?? '';
