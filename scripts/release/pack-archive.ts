import { packTar, type TarFile } from './tar.ts';

/** Returns the file name of a platform's archive. */
export const archiveName = (version: string, platform: string): string =>
  `tollgate-${version}-${platform}.tar.gz`;

export type ArchiveParts = {
  version: string;
  platform: string;
  timeSeconds: number;
  program: readonly TarFile[];
  dependencies: readonly TarFile[];
  runtime: readonly TarFile[];
};

/** Packs the program, its dependencies and the runtime of a platform below one folder. */
export function packArchive(parts: ArchiveParts): Uint8Array<ArrayBuffer> {
  const root = `tollgate-${parts.version}-${parts.platform}/`;
  const files = [...parts.program, ...parts.dependencies, ...parts.runtime];
  return packTar(
    files.map((file) => ({ ...file, path: root + file.path })),
    parts.timeSeconds,
  );
}
