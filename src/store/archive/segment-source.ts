import { type FileHandle, open } from 'node:fs/promises';

/** The bytes of a segment, while it is read. */
export interface SegmentBytes {
  readonly size: number;
  /** Throws if the segment has fewer bytes. */
  read(at: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** A place that has a segment. `remedy` says how the operator can replace a damaged one. */
export type SegmentSource = { name: string; remedy: string; open(): Promise<SegmentBytes> };

export const fileSource = (path: string): SegmentSource => ({
  name: path,
  remedy: 'restore this file from a backup',
  open: () => OpenFile.open(path),
});

class OpenFile implements SegmentBytes {
  readonly #file: FileHandle;
  readonly size: number;

  private constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.size = size;
  }

  static async open(path: string): Promise<SegmentBytes> {
    const file = await open(path, 'r');
    return new OpenFile(file, (await file.stat()).size);
  }

  async read(at: number, length: number): Promise<Buffer> {
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await this.#file.read(bytes, 0, length, at);
    if (bytesRead < length) throw new Error('the file ends too early');
    return bytes;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
