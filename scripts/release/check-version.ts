import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartVersions } from './pack-chart.ts';

/** Throws if a file of the commit has a different version, or if the changelog lacks the version. */
export function checkVersion(sources: string, version: string): void {
  const read = (name: string) => readFileSync(join(sources, name), 'utf8');
  const lock = JSON.parse(read('package-lock.json'));
  const versionsByFile = {
    'package.json': [JSON.parse(read('package.json')).version],
    'package-lock.json': [lock.version, lock.packages[''].version],
    'Chart.yaml': chartVersions(sources),
  };
  for (const [file, versions] of Object.entries(versionsByFile)) {
    const wrong = versions.find((found) => found !== version);
    if (wrong !== undefined)
      throw new Error(
        `the commit is not ${version}: its ${file} says ${wrong}. See "Releases" in CONTRIBUTING.md`,
      );
  }
  if (!read('CHANGELOG.md').includes(`\n## [${version}] - `))
    throw new Error(`CHANGELOG.md of the commit has no heading for ${version}`);
}
