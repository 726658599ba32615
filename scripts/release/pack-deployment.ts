import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Artefact } from './provenance.ts';
import { packTar, readFolder, type TarFile, textFile } from './tar.ts';

type Replacement = { from: string; to: (version: string) => string };

const CONTEXT: Replacement = { from: 'context: ../..', to: () => 'context: ../image' };
const TAG: Replacement = { from: '"default": "local"', to: (version) => `"default": "${version}"` };

/** Texts to replace, by file. */
const REPLACEMENTS: ReadonlyMap<string, Replacement> = new Map([
  ['deploy/compose/compose.yaml', CONTEXT],
  ['deploy/compose/postgres.yaml', CONTEXT],
  ['deploy/image/docker-bake.json', TAG],
]);

/**
 * Files of the clone that a release does not need: programs for checks, the installer, and what other files
 * of the release contain.
 */
const LEFT_OUT = ['deploy/check/', 'deploy/install/', 'deploy/helm/', 'deploy/docker/'];

/**
 * Packs the deployment files: the image definition, Compose, systemd, proxies, Prometheus and Grafana.
 * Compose builds the image from the release's archives.
 */
export function packDeployment(
  sources: string,
  { version, timeSeconds, archives }: { version: string; timeSeconds: number; archives: readonly Artefact[] },
): Uint8Array<ArrayBuffer> {
  const files = [
    ...deploymentFiles(sources, version),
    // The image of a release has the same check of its health as that of a clone.
    ...readFolder(join(sources, 'deploy/docker'), 'deploy/image/'),
    textFile('deploy/image/archives.sha256', linuxSums(archives)),
  ];
  const root = `tollgate-${version}-deploy/`;
  const renamed = files.map((file) => ({ ...file, path: root + file.path.slice('deploy/'.length) }));
  return packTar(renamed, timeSeconds);
}

function deploymentFiles(sources: string, version: string): TarFile[] {
  const files = readFolder(join(sources, 'deploy'), 'deploy/').filter(
    ({ path }) => !LEFT_OUT.some((folder) => path.startsWith(folder)),
  );
  const paths = new Set(files.map(({ path }) => path));
  for (const path of REPLACEMENTS.keys()) assert(paths.has(path), `there is no ${path}`);
  return files.map((file) => render(file, version));
}

const linuxSums = (archives: readonly Artefact[]): string =>
  archives
    .filter(({ name }) => name.includes('-linux-'))
    .map(({ name, sha256 }) => `${sha256}  ${name}\n`)
    .join('');

function render(file: TarFile, version: string): TarFile {
  const replacement = REPLACEMENTS.get(file.path);
  if (!replacement) return file;
  const text = Buffer.from(file.bytes).toString();
  assert(text.includes(replacement.from), `${file.path} has no ${replacement.from}`);
  return textFile(file.path, text.replaceAll(replacement.from, replacement.to(version)));
}
