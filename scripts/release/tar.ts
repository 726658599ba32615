import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A file of an archive. */
export type TarFile = { path: string; bytes: Uint8Array; isProgram: boolean };

const BLOCK = 512;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;
const EXECUTE_BY_OWNER = 0o100;
/** The default of gzip. A higher level takes twice the time and saves less than one percent. */
const LEVEL = 6;

/**
 * Packs files into a compressed tar archive (ustar). The same files give the same bytes on every machine:
 * they are sorted by their paths, belong to user 0, have one of two modes and one time.
 */
export function packTar(files: readonly TarFile[], timeSeconds: number): Uint8Array<ArrayBuffer> {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const parts = sorted.flatMap((file) => [
    headerOf(file, timeSeconds),
    file.bytes,
    padding(file.bytes.length),
  ]);
  const archive = Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
  return Bun.gzipSync(archive, { level: LEVEL, library: 'libdeflate' });
}

/** Reads all files below a folder, with paths that begin with `prefix`. */
export function readFolder(folder: string, prefix: string): TarFile[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return paths.flatMap((path) => {
    const stats = statSync(join(folder, path));
    if (!stats.isFile()) return [];
    const isProgram = (stats.mode & EXECUTE_BY_OWNER) !== 0;
    return { path: `${prefix}${path}`, bytes: readFileSync(join(folder, path)), isProgram };
  });
}

/** Makes a file of an archive from a text. */
export const textFile = (path: string, text: string): TarFile => ({
  path,
  bytes: Buffer.from(text),
  isProgram: false,
});

const padding = (length: number): Buffer => Buffer.alloc((BLOCK - (length % BLOCK)) % BLOCK);

function headerOf({ path, bytes, isProgram }: TarFile, timeSeconds: number): Buffer {
  const { prefix, name } = splitPath(path);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write(octal(isProgram ? 0o755 : 0o644, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(bytes.length, 11), 124);
  header.write(octal(timeSeconds, 11), 136);
  header.write(' '.repeat(8), 148); // the checksum counts itself as spaces
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return header;
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

/** A path of more than 100 bytes is divided at a slash. */
function splitPath(path: string): { prefix: string; name: string } {
  if (Buffer.byteLength(path) <= NAME_BYTES) return { prefix: '', name: path };
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
    const prefix = path.slice(0, at);
    const name = path.slice(at + 1);
    if (Buffer.byteLength(name) <= NAME_BYTES && Buffer.byteLength(prefix) <= PREFIX_BYTES)
      return { prefix, name };
  }
  throw new Error(`the path is too long for a tar archive: ${path}`);
}
