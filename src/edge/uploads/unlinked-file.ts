import type { FileHandle } from 'node:fs/promises';
import { writeAll } from '../../base/lib/write-all.ts';

export type OpenedFile = Pick<FileHandle, 'read' | 'write' | 'close'>;

/**
 * An open file without a name. It is closed after the last operation on it, so that no operation can meet
 * another file.
 */
export class UnlinkedFile {
  readonly #file: OpenedFile;
  #pending = 0;
  #isReleased = false;

  constructor(file: OpenedFile) {
    this.#file = file;
  }

  write(bytes: Uint8Array, at: number): Promise<void> {
    return this.#during(() => writeAll(this.#file, bytes, at));
  }

  /** Returns fewer bytes than asked for at the end of the file. */
  read(at: number, length: number): Promise<Uint8Array> {
    return this.#during(async () => {
      const buffer = Buffer.allocUnsafeSlow(length);
      const { bytesRead } = await this.#file.read(buffer, 0, length, at);
      return buffer.subarray(0, bytesRead);
    });
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#closeIfIdle();
  }

  async #during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isReleased) throw new Error('the upload is released');
    this.#pending++;
    try {
      return await work();
    } finally {
      this.#pending--;
      this.#closeIfIdle();
    }
  }

  #closeIfIdle(): void {
    if (this.#isReleased && this.#pending === 0) void this.#file.close();
  }
}
