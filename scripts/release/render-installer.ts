import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { archiveName } from './pack-archive.ts';
import { platforms } from './platforms.ts';
import type { Artefact } from './provenance.ts';

/** Writes the version, the checksums of the archives and their address into the installer. */
export function renderInstaller(
  sources: string,
  { version, baseUrl, archives }: { version: string; baseUrl: string; archives: readonly Artefact[] },
): string {
  if (!/^[\w:/.@%+~-]*$/.test(baseUrl)) throw new Error(`${baseUrl} is not an address for an installer`);
  const values: Record<string, string> = { version, 'base-url': baseUrl };
  for (const { name } of platforms) {
    const archive = archives.find((each) => each.name === archiveName(version, name));
    values[name] = archive?.sha256 ?? 'no archive';
  }
  const template = readFileSync(join(sources, 'deploy/install/install.sh'), 'utf8');
  return template.replace(/@([a-z0-9-]+)@/g, (mark, name: string) => values[name] ?? mark);
}
