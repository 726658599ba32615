import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkVersion } from './check-version.ts';
import { fetchRuntime } from './fetch-runtime.ts';
import { installDependencies } from './install-dependencies.ts';
import { directNeeds, type LockedPackage, lockedPackages } from './locked-packages.ts';
import { archiveName, packArchive } from './pack-archive.ts';
import { packChart } from './pack-chart.ts';
import { packDeployment } from './pack-deployment.ts';
import type { Platform } from './platforms.ts';
import { type Artefact, formatProvenance, type Material } from './provenance.ts';
import { exportCommit, type ReleaseCommit, readReleaseCommit } from './release-commit.ts';
import { ReleaseFolder } from './release-folder.ts';
import type { ReleaseKey } from './release-key.ts';
import { renderInstaller } from './render-installer.ts';
import { formatSbom, purlOf } from './sbom.ts';
import {
  archiveContents,
  chartContents,
  imageContents,
  packageContents,
  type SbomContents,
} from './sbom-contents.ts';
import { buildOf, stagePackage } from './stage-package.ts';
import { packTar, readFolder } from './tar.ts';

const LICENSE = 'Apache-2.0';

/** The input of a release. */
export type ReleaseOrder = {
  /** The repository, and the commit whose files the release has. */
  root: string;
  revision: string;
  version: string;
  /** The folder to create. */
  out: string;
  key: ReleaseKey;
  platforms: readonly Platform[];
  /** The address at which the files will be published, for the installer. It is empty if it is not known. */
  baseUrl: string;
  report: (line: string) => void;
};

/** The values that the steps of a release share. */
type Release = ReleaseOrder & {
  commit: ReleaseCommit;
  folder: ReleaseFolder;
  /** The exported files of the commit, and a folder for what is made of them. */
  sources: string;
  scratch: string;
  packages: readonly LockedPackage[];
  direct: readonly string[];
};

/** Makes all files of a release, and returns them with their checksums. */
export function makeRelease(order: ReleaseOrder): readonly Artefact[] {
  const scratch = mkdtempSync(join(tmpdir(), 'tollgate-release-'));
  try {
    return makeFiles(openRelease(order, scratch));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function openRelease(order: ReleaseOrder, scratch: string): Release {
  const commit = readReleaseCommit(order.root, order.revision);
  const sources = makeFolder(scratch, 'sources');
  exportCommit(order.root, commit, sources);
  checkVersion(sources, order.version);
  const lock = JSON.parse(readFileSync(join(sources, 'package-lock.json'), 'utf8'));
  const folder = new ReleaseFolder(order.out);
  const packages = lockedPackages(lock);
  return { ...order, commit, folder, sources, scratch, packages, direct: directNeeds(lock) };
}

function makeFiles(release: Release): readonly Artefact[] {
  const { folder, version, sources, commit, key, report } = release;
  const program = writePackage(release);
  const archives = release.platforms.length > 0 ? writeArchives(release, program) : [];
  writeDeployment(release, archives);
  const chart = folder.write(`tollgate-chart-${version}.tgz`, packChart(sources, commit.timeSeconds));
  writeSbom(release, chart, chartContents(version));
  const installer = renderInstaller(sources, { version, baseUrl: release.baseUrl, archives });
  folder.write('install.sh', installer, { isProgram: true });
  const materials = materialsOf(release);
  const provenance = formatProvenance(folder.artefacts, { version, commit, materials, key });
  folder.write(`tollgate-${version}.intoto.jsonl`, provenance);
  const artefacts = [...folder.artefacts];
  const sums = folder.checksums();
  folder.write('SHA256SUMS', sums);
  folder.write('SHA256SUMS.sig', `${key.sign(Buffer.from(sums)).toString('base64')}\n`);
  report(`checksums of ${artefacts.length} files, signed with ${key.publicKey}`);
  return artefacts;
}

/** Writes the npm package, and returns the folder with its files. */
function writePackage(release: Release): string {
  const { sources, version, commit, folder, packages, direct } = release;
  const program = makeFolder(release.scratch, 'program');
  stagePackage(sources, buildOf(commit, release.key.publicKey), program);
  const bytes = packTar(readFolder(program, 'package/'), commit.timeSeconds);
  const artefact = folder.write(`tollgate-${version}.tgz`, bytes);
  writeSbom(release, artefact, packageContents(packages, direct));
  release.report(`${artefact.name}: the npm package`);
  return program;
}

function writeArchives(release: Release, program: string): Artefact[] {
  const { version, commit, folder, packages, direct } = release;
  const modules = installDependencies(release.sources, makeFolder(release.scratch, 'dependencies'));
  const common = {
    version,
    timeSeconds: commit.timeSeconds,
    program: readFolder(program, ''),
    dependencies: readFolder(modules, 'node_modules/'),
  };
  return release.platforms.map((platform) => {
    const runtime = fetchRuntime(platform, packages);
    const bytes = packArchive({ ...common, platform: platform.name, runtime });
    const artefact = folder.write(archiveName(version, platform.name), bytes);
    writeSbom(release, artefact, archiveContents(packages, direct, [platform]));
    release.report(`${artefact.name}: the program with its runtime`);
    return artefact;
  });
}

function writeDeployment(release: Release, archives: readonly Artefact[]): void {
  const { version, commit, packages, direct, platforms } = release;
  const order = { version, timeSeconds: commit.timeSeconds, archives };
  const bytes = packDeployment(release.sources, order);
  const artefact = release.folder.write(`tollgate-${version}-deploy.tar.gz`, bytes);
  const inImage = platforms.filter(({ name }) => name.startsWith('linux-'));
  writeSbom(release, artefact, imageContents(archiveContents(packages, direct, inImage)));
  release.report(`${artefact.name}: the image definition, Compose, systemd and proxies`);
}

/** Writes the SBOM of a file beside it. */
function writeSbom({ folder, version, commit }: Release, file: Artefact, contents: SbomContents): void {
  const subject = { file: file.name, sha256: file.sha256, version, license: LICENSE, time: commit.time };
  folder.write(`${file.name}.cdx.json`, formatSbom(subject, contents));
}

/** The lock file pins every package, and the archives contain the runtimes. */
function materialsOf({ sources, packages, platforms }: Release): Material[] {
  const lock = createHash('sha256')
    .update(readFileSync(join(sources, 'package-lock.json')))
    .digest('hex');
  const runtimes = packages.filter(({ name }) => platforms.some((each) => each.runtimePackage === name));
  return [
    { name: 'package-lock.json', digest: { sha256: lock } },
    ...runtimes.map((locked) => ({
      name: locked.name,
      uri: purlOf(locked),
      digest: { sha512: locked.sha512 },
    })),
  ];
}

function makeFolder(parent: string, name: string): string {
  const path = join(parent, name);
  mkdirSync(path);
  return path;
}
