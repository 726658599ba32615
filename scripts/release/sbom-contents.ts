import type { LockedPackage } from './locked-packages.ts';
import type { Platform } from './platforms.ts';
import { partOf, purlOf, type SbomPart } from './sbom.ts';

/** The parts of a file of the release, and the references to its direct dependencies. */
export type SbomContents = { parts: readonly SbomPart[]; direct: readonly string[] };

/** The image that the Dockerfile of a release is based on. */
const BASE_IMAGE = { name: 'debian', version: '12.12-slim' };

const isRuntime = ({ name }: LockedPackage): boolean => name === 'bun' || name.startsWith('@oven/');

/** The npm package has no dependencies in it. npm installs these, and the runtime of one platform. */
export const packageContents = (
  packages: readonly LockedPackage[],
  direct: readonly string[],
): SbomContents => ({
  parts: packages.map((locked) => partOf(locked, packages)),
  direct: refsOf(packages, direct),
});

/**
 * Lists the contents of an archive. It has the dependencies that every platform needs, and the runtimes of
 * these platforms.
 */
export function archiveContents(
  packages: readonly LockedPackage[],
  direct: readonly string[],
  contained: readonly Platform[],
): SbomContents {
  const dependencies = packages.filter((locked) => !isRuntime(locked) && !locked.isOptional);
  const runtimes = packages.filter(({ name }) =>
    contained.some(({ runtimePackage }) => runtimePackage === name),
  );
  return {
    parts: [
      ...dependencies.map((locked) => partOf(locked, packages)),
      ...runtimes.map((locked) => ({ ...partOf(locked, packages), isOptional: false })),
    ],
    direct: [...refsOf(packages, direct), ...runtimes.map(purlOf)],
  };
}

/** The image has the archive of its processor, and the base image. */
export function imageContents(archives: SbomContents): SbomContents {
  const ref = `pkg:docker/${BASE_IMAGE.name}@${BASE_IMAGE.version}`;
  const base: SbomPart = { ref, type: 'container', name: BASE_IMAGE.name, version: BASE_IMAGE.version };
  return { parts: [base, ...archives.parts], direct: [ref, ...archives.direct] };
}

/** The chart has no code. It names the image. */
export function chartContents(version: string): SbomContents {
  const ref = `pkg:docker/tollgate@${version}`;
  return { parts: [{ ref, type: 'container', name: 'tollgate', version }], direct: [ref] };
}

const refsOf = (packages: readonly LockedPackage[], paths: readonly string[]): string[] =>
  packages.filter(({ path }) => paths.includes(path)).map(purlOf);
