import { join } from 'node:path';
import type { Artefact } from './provenance.ts';
import { packTar, readFolder, type TarFile, textFile } from './tar.ts';

const CONTEXT_OF_CLONE = 'context: ../..';
const CONTEXT_OF_RELEASE = 'context: ../image';
/**
 * Files of the clone that a release does not need: programs for checks, the installer, and what
 * other files of the release contain.
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
  const root = `tollgate-${version}-deploy/`;
  const files = readFolder(join(sources, 'deploy'), 'deploy/')
    .filter(({ path }) => !LEFT_OUT.some((folder) => path.startsWith(folder)))
    .map((file) => render(file, version));
  const health = readFolder(join(sources, 'deploy/docker'), 'deploy/image/');
  const linux = archives.filter(({ name }) => name.includes('-linux-'));
  const sums = linux.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
  return packTar(
    [...files, ...health, textFile('deploy/image/archives.sha256', sums)].map((file) => ({
      ...file,
      path: root + file.path.slice('deploy/'.length),
    })),
    timeSeconds,
  );
}

function render(file: TarFile, version: string): TarFile {
  const text = () => Buffer.from(file.bytes).toString();
  if (file.path.startsWith('deploy/compose/') && /\.ya?ml$/.test(file.path))
    return textFile(file.path, text().replaceAll(CONTEXT_OF_CLONE, CONTEXT_OF_RELEASE));
  if (file.path === 'deploy/image/docker-bake.json')
    return textFile(file.path, text().replace('"default": "local"', `"default": "${version}"`));
  return file;
}
