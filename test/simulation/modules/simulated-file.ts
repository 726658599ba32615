import * as fs from 'node:fs';
import type { Host } from '../kernel/host.ts';
import { stage } from '../kernel/stage.ts';
import { flushError } from './flush-error.ts';

/** A file that a simulated process has open. Its writes and flushes take time and can fail. */
export class SimulatedFile {
  readonly fd: number;
  readonly #path: string;
  readonly #host: Host = stage.simulation.host;
  /** True if the latest write has only zeros, which empties a spool. */
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
    const existing = fs.readSync(this.fd, before, 0, length, position);
    // A full disk still accepts writes within the existing file.
    if (disk?.state === 'failing' || (disk?.state === 'full' && existing < length))
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const after = Buffer.from(bytes.subarray(offset, offset + length));
    disk?.wrote({ path: this.#path, position, before: before.subarray(0, existing), after });
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
    if (disk?.refusesFlushes) throw flushError('fdatasync');
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
