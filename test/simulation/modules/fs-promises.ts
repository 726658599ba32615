import * as fs from 'node:fs';
import type { Host } from '../kernel/host.ts';
import { stage } from '../kernel/stage.ts';

// Files are read and written at once, and the answers take simulated time.

const later =
  <Values extends unknown[], Result>(work: (...values: Values) => Result) =>
  async (...values: Values): Promise<Result> => {
    const { simulation } = stage;
    await simulation.sleep(simulation.host.disk?.delayMs() ?? 0, `disk ${work.name}`);
    return work(...values);
  };

export const access = later(fs.accessSync);
export const link = later(fs.linkSync);
export const mkdir = later(fs.mkdirSync);
export const readdir = later(fs.readdirSync);
export const readFile = later(fs.readFileSync);
export const realpath = later(fs.realpathSync);
export const rename = later(fs.renameSync);
export const rm = later(fs.rmSync);
export const rmdir = later(fs.rmdirSync);
export const stat = later(fs.statSync);
export const unlink = later(fs.unlinkSync);
export const writeFile = later(fs.writeFileSync);

const GIGABYTE = 1024 ** 3;

/** The space of the simulated disk. */
export const statfs = later(function statfs() {
  const isFull = stage.simulation.host.disk?.state === 'full';
  return { bsize: 1, bavail: isFull ? 0 : 100 * GIGABYTE };
});

export const open = later(function open(path: string, flags: string | number = 'r', mode?: number) {
  return new SimulatedFile(fs.openSync(path, flags, mode), path);
});

class SimulatedFile {
  readonly fd: number;
  readonly #path: string;
  readonly #host: Host = stage.simulation.host;
  /** True if the latest write has only zeros, as that of an empty spool. */
  #isWiped = false;
  #isOpen = true;

  constructor(fd: number, path: string) {
    this.fd = fd;
    this.#host.files.add(fd);
    this.#path = path;
  }

  async write(bytes: Uint8Array, offset: number, length: number, position: number) {
    const { simulation } = stage;
    const { disk } = simulation.host;
    await simulation.sleep(disk?.delayMs() ?? 0, 'disk write');
    const before = Buffer.alloc(length);
    const known = fs.readSync(this.fd, before, 0, length, position);
    // A full disk still takes what lies within the file.
    if (disk?.state === 'failing' || (disk?.state === 'full' && known < length))
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const after = Buffer.from(bytes.subarray(offset, offset + length));
    disk?.wrote({ path: this.#path, position, before: before.subarray(0, known), after });
    fs.writeSync(this.fd, after, 0, length, position);
    this.#isWiped = after.every((byte) => byte === 0);
    return { bytesWritten: length };
  }

  async read(buffer: Uint8Array, offset: number, length: number, position: number | null) {
    return { bytesRead: fs.readSync(this.fd, buffer, offset, length, position), buffer };
  }

  /** Flushes the file. Only the spool flushes its data alone. */
  async datasync(): Promise<void> {
    await this.sync();
    stage.simulation.pass(this.#isWiped ? 'spool wiped' : 'spool flushed');
  }

  async sync(): Promise<void> {
    const { simulation } = stage;
    const { disk } = simulation.host;
    const end = disk?.beginFlush(this.#path);
    await simulation.sleep(disk?.delayMs() ?? 0, 'disk flush');
    if (disk?.refusesFlushes) throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
    end?.();
  }

  async stat() {
    return fs.fstatSync(this.fd);
  }

  async truncate(length: number): Promise<void> {
    fs.ftruncateSync(this.fd, length);
  }

  async readFile(): Promise<Buffer> {
    return fs.readFileSync(this.fd);
  }

  async writeFile(text: string): Promise<void> {
    fs.writeFileSync(this.fd, text);
  }

  async *createReadStream() {
    yield fs.readFileSync(this.#path);
  }

  async close(): Promise<void> {
    if (this.#isOpen) fs.closeSync(this.fd);
    this.#host.files.delete(this.fd);
    this.#isOpen = false;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
