import { copyFileSync, readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOrText } from '../../base/lib/error-code.ts';
import { OneByOne } from '../../base/lib/one-by-one.ts';
import { writeAll } from '../../base/lib/write-all.ts';
import type { Posting } from '../../money/ledger/ledger-store.ts';
import type { PostingSpool } from '../../money/ledger/posting-spool.ts';
import { FileIdentity } from '../file-identity.ts';
import { StoreProblem } from '../store-problem.ts';
import { formatSpoolLine, parseSpool, requestIdOf } from './spool-lines.ts';

/** Reserved while the disk has space. On a full disk the reserve holds about 5,000 postings. */
const RESERVED_BYTES = 4 * 1024 * 1024;
const OWNER_ONLY = 0o600;
const NO_BYTES = Buffer.alloc(0);

type Line = { requestId: string; text: string; written: PromiseWithResolvers<void> };

/** A file of lines, each flushed before it is acknowledged. Concurrent postings share a flush. */
export class FileSpool implements PostingSpool {
  readonly waiting = new Map<string, Posting>();
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #identity: FileIdentity;
  /** The end of the lines that are acknowledged. */
  #end = 0;
  /** The bytes from the end to here may be lines that do not count, since a wipe has failed. */
  #unwipedTo = 0;
  #lines: Line[] = [];
  /** Serializes writes and wipes. */
  readonly #work = new OneByOne();

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
    this.#identity = new FileIdentity(path);
  }

  /**
   * Opens the spool with the lines of an earlier process.
   * `damaged` lines cannot be read and are kept in a copy.
   */
  static async open(directory: string): Promise<{ spool: FileSpool; damaged: number }> {
    const path = join(directory, 'settlements.spool');
    let file: FileHandle | undefined;
    try {
      await (await open(path, 'a', OWNER_ONLY)).close();
      const left = readFileSync(path);
      const { postings, end, damaged } = parseSpool(left);
      if (damaged > 0) copyFileSync(path, `${path}.damaged-${Date.now()}`);
      file = await open(path, 'r+');
      const spool = new FileSpool(path, file);
      for (const posting of postings) spool.waiting.set(requestIdOf(posting), posting);
      // A line that a crash cut off is overwritten by the next one.
      spool.#end = end;
      await spool.#reserve(left.length);
      return { spool, damaged };
    } catch (error) {
      // The runtime ends the process when it collects a file that is still open.
      await file?.close().catch(() => {});
      throw problemOf(path, error);
    }
  }

  append(posting: Posting): Promise<void> {
    const requestId = requestIdOf(posting);
    const written = Promise.withResolvers<void>();
    this.waiting.set(requestId, posting);
    this.#lines.push({ requestId, text: formatSpoolLine(posting), written });
    this.#work.run(() => this.#write());
    return written.promise;
  }

  remove(requestIds: readonly string[]): Promise<void> {
    for (const requestId of requestIds) this.waiting.delete(requestId);
    return this.#work.run(() => this.#wipe());
  }

  async close(): Promise<void> {
    await this.#work.idle();
    await this.#file.close();
  }

  /**
   * A failed write does not move the end, so the next line overwrites it.
   * It is wiped, since the next start must not find it.
   */
  async #write(): Promise<void> {
    const lines = this.#lines.splice(0);
    if (lines.length === 0) return;
    const bytes = Buffer.from(lines.map(({ text }) => text).join(''));
    try {
      const moved = this.#identity.problem();
      if (moved) throw moved;
      await writeAll(this.#file, this.#covering(bytes), this.#end);
      await this.#file.datasync();
      this.#end += bytes.length;
      this.#unwipedTo = 0;
      for (const { written } of lines) written.resolve();
    } catch (error) {
      const problem = problemOf(this.#path, error);
      for (const { requestId, written } of lines) {
        this.waiting.delete(requestId);
        written.reject(problem);
      }
      if (error === problem) return; // nothing was written
      this.#unwipedTo = Math.max(this.#unwipedTo, this.#end + bytes.length);
      // If this fails too, the next line overwrites all of the bytes.
      await writeAll(this.#file, this.#covering(NO_BYTES), this.#end).catch(() => {});
    }
  }

  /** Returns the bytes, with zeros behind them over all that a failed wipe has left. */
  #covering(bytes: Buffer): Buffer {
    const left = this.#unwipedTo - this.#end - bytes.length;
    return left > 0 ? Buffer.concat([bytes, Buffer.alloc(left)]) : bytes;
  }

  /**
   * Wipes the file once no posting waits. If that fails, the next line is written from the beginning, with
   * zeros over the lines behind it. A start before it skips postings that are already in the store.
   */
  async #wipe(): Promise<void> {
    if (this.waiting.size > 0 || (this.#end === 0 && this.#unwipedTo === 0)) return;
    this.#unwipedTo = Math.max(this.#unwipedTo, this.#end);
    this.#end = 0;
    await writeAll(this.#file, this.#covering(NO_BYTES), 0);
    await this.#file.datasync();
    this.#unwipedTo = 0;
  }

  async #reserve(length: number): Promise<void> {
    if (length < RESERVED_BYTES) await writeAll(this.#file, Buffer.alloc(RESERVED_BYTES - length), length);
  }
}

const problemOf = (path: string, error: unknown): StoreProblem =>
  error instanceof StoreProblem
    ? error
    : new StoreProblem(
        `${path} cannot be written (${codeOrText(error)})`,
        'free space on its disk, or move the file back',
        error,
      );
