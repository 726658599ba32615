import type { Refusal } from '../../base/errors/refusal.ts';
import type { KeptBytes } from '../../base/forms/form.ts';
import type { UnlinkedFile } from './unlinked-file.ts';
import type { UploadSpace } from './upload-space.ts';

/** Uploads up to this size stay in memory. */
export const MEMORY_BYTES = 1024 * 1024;
/** The step in which disk space is reserved for an upload of unknown size. */
const STEP_BYTES = 8 * 1024 * 1024;

/** The bytes of an upload's files: in memory up to `MEMORY_BYTES`, and on the disk beyond. */
export class KeptUpload implements KeptBytes {
  readonly #space: UploadSpace;
  readonly #account: string;
  #pieces: Buffer[] = [];
  #inMemory = 0;
  #written = 0;
  #file: UnlinkedFile | undefined;
  #taken = 0;
  #isReleased = false;
  /** The size of the whole upload, if the client announced it. */
  readonly #announced: number | undefined;

  constructor(space: UploadSpace, account: string, announced: number | undefined) {
    this.#space = space;
    this.#account = account;
    this.#announced = announced;
  }

  get byteLength(): number {
    return this.#written + this.#inMemory;
  }

  /** The bytes in memory. */
  get heldBytes(): number {
    return this.#inMemory;
  }

  get isOnDisk(): boolean {
    return this.#file !== undefined;
  }

  add(bytes: Uint8Array): void {
    if (bytes.byteLength === 0) return;
    this.#pieces.push(Buffer.from(bytes)); // copied, since the chunk is reused
    this.#inMemory += bytes.byteLength;
  }

  /**
   * Writes the bytes beyond `MEMORY_BYTES` to the disk. Returns a refusal if the disk does not accept them.
   */
  flush(): Promise<Refusal | undefined> | undefined {
    if (this.#isReleased || this.#inMemory === 0 || (!this.#file && this.#inMemory <= MEMORY_BYTES))
      return undefined;
    return this.#write().catch((error) => this.#space.refusalFor(error));
  }

  read(at: number, length: number): Uint8Array | Promise<Uint8Array> {
    if (this.#file) return this.#file.read(at, length);
    if (this.#isReleased) throw new Error('the upload is released');
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)];
    return this.#pieces[0]!.subarray(at, at + length);
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#pieces = [];
    this.#file?.release();
    this.#space.giveBack(this.#account, this.#taken);
  }

  async #write(): Promise<Refusal | undefined> {
    if (!this.#takeSpace()) return this.#space.refusalFor(new Error('limits.upload_disk_mb is reached'));
    this.#file ??= await this.#space.openFile();
    if (this.#isReleased) {
      this.#file.release();
      return undefined;
    }
    const bytes = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
    await this.#file.write(bytes, this.#written);
    this.#pieces = [];
    this.#inMemory = 0;
    this.#written += bytes.byteLength;
    return undefined;
  }

  #takeSpace(): boolean {
    const missing = this.byteLength - this.#taken;
    if (missing <= 0) return true;
    const bytes = this.#taken === 0 && this.#announced !== undefined ? this.#announced : STEP_BYTES;
    const wanted = Math.max(missing, bytes);
    if (!this.#space.take(this.#account, wanted)) return false;
    this.#taken += wanted;
    return true;
  }
}
