import type { PGlite } from '@electric-sql/pglite';
import { stage } from '../kernel/stage.ts';
import { keepFiles } from './keep-files.ts';

/** A copy of the database to which it can return. */
export type KeptState = {
  heap: Uint8Array;
  files: ReturnType<typeof keepFiles>;
  stack: number;
  prepared: ReadonlySet<string>;
};

/** Small buffers keep the memory small, and with it the time of a return to a state. */
const SETTINGS = {
  shared_buffers: '4MB',
  wal_buffers: '256kB',
  max_wal_size: '64MB',
  min_wal_size: '32MB',
  max_connections: '10',
  max_locks_per_transaction: '256',
  max_pred_locks_per_transaction: '10',
  temp_buffers: '800kB',
  jit: 'off',
  timezone: 'UTC',
};

/**
 * Postgres, compiled to WebAssembly, in the memory of this process. It has one session, and answers each
 * message at once.
 */
export class PostgresBuild {
  readonly #pglite: PGlite;
  /** The names of the statements that are prepared. */
  prepared = new Set<string>();

  private constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }

  /** Starts Postgres with the clock and the random numbers of the simulation. */
  static async create(): Promise<PostgresBuild> {
    const { PGlite } = await import('@electric-sql/pglite');
    const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const pglite = new PGlite({
      startParams: [...PGlite.defaultStartParams, ...settings],
      initDbStartParams: ['--wal-segsize=1'],
    });
    await pglite.waitReady;
    return new PostgresBuild(pglite);
  }

  /** Answers messages of the protocol. */
  exec(messages: Uint8Array): Buffer {
    return Buffer.from(this.#pglite.execProtocolRawSync(messages));
  }

  /** Copies the memory and the files. No transaction may be open. */
  keep(): KeptState {
    const { HEAPU8, FS, stackSave } = this.#pglite.Module;
    return {
      heap: HEAPU8.slice(),
      files: keepFiles(FS as never),
      stack: stackSave(),
      prepared: new Set(this.prepared),
    };
  }

  /** Returns to a kept state. Later changes leave no trace. */
  return({ heap, files, stack, prepared }: KeptState): void {
    this.prepared = new Set(prepared);
    const { HEAPU8, stackRestore } = this.#pglite.Module;
    HEAPU8.set(heap);
    HEAPU8.fill(0, heap.length);
    files.return();
    stackRestore(stack);
    this.#drainRandomBytes();
  }

  /** Consumes the random bytes that an earlier run has drawn ahead, so that every run begins alike. */
  #drainRandomBytes(): void {
    const { FS } = this.#pglite.Module;
    const { simulation } = stage;
    const device = FS.open('/dev/urandom', 'r');
    const before = simulation.randomFills;
    while (simulation.randomFills === before) FS.read(device, new Uint8Array(1), 0, 1);
    FS.close(device);
  }
}
