import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openConnection } from '../../../src/store/postgres/connection/open-connection.ts';
import { parseConnectionUrl } from '../../../src/store/postgres/connection/parse-connection-url.ts';
import { freePort } from '../free-port.ts';
import { waitFor } from '../wait-for.ts';
import { guardServer } from './guard-server.ts';
import { installedBinaries, type PostgresBinaries, packagedBinaries } from './postgres-binaries.ts';

const USER = 'tollgate';
const PASSWORD = 'secret';
const START_MS = 60_000;

type PostgresServerOptions = {
  /** By default, the programs of the npm package, or else the installed ones. */
  binaries?: PostgresBinaries | undefined;
  /** False for tests that never kill the server. Nothing is then flushed, and its files are in memory. */
  fsync?: boolean;
  /** Lines of postgresql.conf. */
  settings?: Readonly<Record<string, string | number>>;
};

/** A server that nobody kills needs neither a log for standbys nor vacuum of its short-lived databases. */
const FLEETING = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_wal_size: "'128MB'",
  autovacuum: 'off',
  jit: 'off',
};

const MEMORY = '/dev/shm';
/** The free memory that the databases need. A run uses a tenth of it. */
const MEMORY_BYTES = 3_000_000_000;

/** Returns a folder in memory if it has space. To create a database there needs a third less CPU time. */
function memoryFolder(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize < MEMORY_BYTES ? tmpdir() : MEMORY;
}

/** A separate Postgres server. Its port and its data stay the same over stops, kills and starts. */
export class PostgresServer {
  readonly port: number;
  readonly directory: string;
  readonly #binaries: PostgresBinaries;
  readonly #account: Account;
  #postmaster: ChildProcess | undefined;
  #guard: { end(): void } | undefined;
  #log = '';

  private constructor(binaries: PostgresBinaries, directory: string, port: number) {
    this.#binaries = binaries;
    this.directory = directory;
    this.port = port;
    this.#account = unprivileged();
  }

  /** Makes a data directory and starts the server. */
  static async create(options: PostgresServerOptions = {}): Promise<PostgresServer> {
    const isFleeting = options.fsync === false;
    const server = await PostgresServer.#prepare(options.binaries, isFleeting ? memoryFolder() : tmpdir());
    const password = join(server.directory, 'password');
    writeFileSync(password, PASSWORD);
    await server.#run('initdb', [
      '-D',
      server.data,
      '-U',
      USER,
      '--auth=scram-sha-256',
      `--pwfile=${password}`,
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ]);
    server.configure({
      port: server.port,
      listen_addresses: "'127.0.0.1'",
      unix_socket_directories: "''",
      max_connections: 300,
      ...(isFleeting && FLEETING),
      ...options.settings,
    });
    await server.start();
    return server;
  }

  static async #prepare(
    binaries = packagedBinaries() ?? installedBinaries(),
    folder = tmpdir(),
  ): Promise<PostgresServer> {
    if (!binaries)
      throw new Error('there is no Postgres: neither the npm package nor /usr/lib/postgresql has one');
    const directory = mkdtempSync(join(folder, 'tollgate-postgres-'));
    chmodSync(directory, 0o755);
    const server = new PostgresServer(binaries, directory, await freePort());
    const { uid, gid } = server.#account;
    if (uid !== undefined) chownSync(directory, uid, gid ?? uid);
    server.#guard = guardServer(directory);
    return server;
  }

  get data(): string {
    return join(this.directory, 'data');
  }

  get url(): string {
    return `postgres://${USER}:${PASSWORD}@127.0.0.1:${this.port}/postgres`;
  }

  /** The log of the server. */
  get log(): string {
    return this.#log;
  }

  /** Adds lines to postgresql.conf, for the next start. The last line for a setting applies. */
  configure(settings: Readonly<Record<string, string | number>>): void {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
    writeFileSync(join(this.data, 'postgresql.conf'), lines.join(''), { flag: 'a' });
  }

  /** Starts the server, and waits until it accepts connections. */
  async start(): Promise<void> {
    this.#log = '';
    const child = this.#spawn('postgres', ['-D', this.data]);
    this.#postmaster = child;
    await waitFor(async () => {
      const exitCode = this.#postmaster?.exitCode ?? null;
      if (exitCode !== null) return this.#startAgain();
      return accepts(this.url);
    }, START_MS);
  }

  /** Stops the server without waiting for clients. */
  async stop(): Promise<void> {
    await this.#end('SIGINT');
  }

  /**
   * Kills every process of the server, like a loss of its machine. Only the kernel keeps what was written.
   */
  async kill(): Promise<void> {
    for (const pid of this.#children()) signal(pid, 'SIGKILL');
    await this.#end('SIGKILL');
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Stops every process of the server until `resume`. Connections stay open and hang. */
  pause(): void {
    for (const pid of [this.pid, ...this.#children()]) signal(pid, 'SIGSTOP');
  }

  resume(): void {
    for (const pid of [...this.#children(), this.pid]) signal(pid, 'SIGCONT');
  }

  /** Makes a standby that follows this server. It needs pg_basebackup, which the npm package lacks. */
  async standby(): Promise<PostgresServer> {
    const standby = await PostgresServer.#prepare(this.#binaries);
    await standby.#run('pg_basebackup', [
      '-d',
      this.url,
      '-D',
      standby.data,
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
      '--no-sync',
    ]);
    standby.configure({ port: standby.port });
    await standby.start();
    return standby;
  }

  /** Makes the standby a primary. */
  async promote(): Promise<void> {
    await this.#run('pg_ctl', ['promote', '-D', this.data, '-w']);
  }

  /** Stops the server and deletes its data. */
  async remove(): Promise<void> {
    this.resume();
    await this.#end('SIGQUIT');
    rmSync(this.directory, { recursive: true, force: true });
    this.#guard?.end();
  }

  /** The postmaster. Its children are the other processes of the server. */
  get pid(): number | undefined {
    return this.#postmaster?.pid;
  }

  /** After a kill the kernel may keep shared memory for a moment. */
  #startAgain(): boolean {
    if (this.#log === '') return false; // what it wrote has not arrived yet
    if (!this.#log.includes('shared memory'))
      throw new Error(`Postgres did not start: ${this.#log.slice(-2_000)}`);
    this.#log = '';
    this.#postmaster = this.#spawn('postgres', ['-D', this.data]);
    return false;
  }

  #children(): number[] {
    const pid = this.pid;
    try {
      return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    } catch {
      return [];
    }
  }

  async #end(name: NodeJS.Signals): Promise<void> {
    const child = this.#postmaster;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(name);
    await ended;
  }

  async #run(program: string, parameters: readonly string[]): Promise<void> {
    const child = this.#spawn(program, parameters);
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`${program} failed: ${this.#log.slice(-2_000)}`);
  }

  #spawn(program: string, parameters: readonly string[]): ChildProcess {
    const child = spawn(join(this.#binaries.bin, program), [...parameters], {
      ...this.#account,
      cwd: this.directory,
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes: Buffer) => {
        this.#log = (this.#log + bytes.toString()).slice(-100_000);
      });
    return child;
  }
}

type Account = { uid?: number; gid?: number };

/** Postgres refuses to run as root. */
function unprivileged(): Account {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = ['postgres', 'nobody'].map((name) => users.find(([user]) => user === name)).find(Boolean);
  if (!found)
    throw new Error('Postgres does not run as root, and there is neither a user postgres nor nobody');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}

async function accepts(url: string): Promise<boolean> {
  try {
    const connection = await openConnection(parseConnectionUrl(url), {
      timeoutMs: 1_000,
      allowsReadOnly: true,
    });
    connection.end();
    return true;
  } catch {
    return false;
  }
}
