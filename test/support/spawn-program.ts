import { join } from 'node:path';
import { bundledPreloads, PRELOAD_VARIABLE } from './bundled-preloads.ts';
import { endWithUs } from './end-with-us.ts';
import { isLong } from './is-long.ts';

const source = join(import.meta.dir, '..', '..', 'src', 'program', 'main.ts');
/** The executable that `npm test` makes of the program, since it starts in a third of the CPU time. */
const bundle = process.env.TOLLGATE_TEST_PROGRAM;

/**
 * Only busy servers gain from compilers. A start needs a fifth less CPU time without the optimizing ones, and
 * a tenth less if the other one compiles only what runs often.
 */
const withoutOptimizing = {
  BUN_JSC_useDFGJIT: '0',
  BUN_JSC_thresholdForJITAfterWarmUp: '1000',
  BUN_JSC_thresholdForJITSoon: '500',
};

/** Most servers of tests end before their garbage is worth a collection. A start needs a tenth less. */
const withRareCollections = { BUN_JSC_largeHeapSize: '200000000', BUN_GC_TIMER_DISABLE: '1' };

const forShortLives: Record<string, string> = isLong ? {} : { ...withoutOptimizing, ...withRareCollections };

/**
 * Omits the test runner's variables, since a provider's key of the developer would turn the simulator off.
 */
const cleanEnvironment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  ...forShortLives,
  BUN_CONFIG_MAX_HTTP_REQUESTS: '65336',
  TOLLGATE_LOCAL_SERVERS: 'off', // programs on the developer's machine must not affect a test
});

type Program = { command: string[]; environment: Record<string, string> };

/** A preloaded script changes modules of the program, so the executable needs to contain the script. */
function programWith(preload: string | undefined): Program {
  if (bundle !== undefined && preload === undefined) return { command: [bundle], environment: {} };
  if (bundle !== undefined && preload !== undefined && bundledPreloads.includes(preload))
    return { command: [bundle], environment: { [PRELOAD_VARIABLE]: preload } };
  const before = preload === undefined ? [] : ['--preload', preload];
  return { command: [process.execPath, ...before, source], environment: {} };
}

type Where = {
  directory?: string | undefined;
  /** A script that is run before the program, in its process. */
  preload?: string | undefined;
  /** The number of file descriptors that it may have. */
  descriptors?: number | undefined;
  /** True if its output is a terminal. Line ends are as in a file. */
  terminal?: boolean | undefined;
};

/** Starts the program in a process that ends with this one. */
export function spawnProgram(
  args: readonly string[],
  environment: Record<string, string> = {},
  { directory, preload, descriptors, terminal = false }: Where = {},
) {
  // The shell becomes the program: its process id stays.
  const limited = descriptors === undefined ? [] : ['sh', '-c', `ulimit -n ${descriptors}; exec "$0" "$@"`];
  const program = programWith(preload);
  const command = [...limited, ...program.command, ...args];
  const place = {
    env: { ...cleanEnvironment(), ...program.environment, ...environment },
    ...(directory !== undefined && { cwd: directory }),
  };
  const { child, stdout, stderr } = terminal ? onTerminal(command, place) : onPipes(command, place);
  endWithUs(child);
  return {
    pid: child.pid,
    exited: child.exited,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    signal: (name: NodeJS.Signals) => child.kill(name),
    stdout: () => stdout.text,
    stderr: () => stderr.text,
    /** Waits for the end of the process. Returns its exit code and all that it wrote. */
    async finished() {
      await Promise.all([stdout.ended, stderr.ended]);
      return { code: await child.exited, stdout: stdout.text, stderr: stderr.text };
    },
  };
}

type Place = { env: Record<string, string>; cwd?: string };

function onPipes(command: string[], place: Place) {
  const child = Bun.spawn(command, { ...place, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  return { child, stdout: collect(child.stdout), stderr: collect(child.stderr) };
}

/** A terminal has one stream for standard output and standard error. */
function onTerminal(command: string[], place: Place) {
  const stdout = { text: '', ended: Promise.resolve() };
  const decoder = new TextDecoder();
  const child = Bun.spawn(command, {
    ...place,
    terminal: {
      cols: 200,
      rows: 50,
      data(_, chunk) {
        stdout.text += decoder.decode(chunk, { stream: true }).replaceAll('\r\n', '\n');
      },
    },
  });
  stdout.ended = child.exited.then(() => {});
  return { child, stdout, stderr: { text: '', ended: Promise.resolve() } };
}

/** Runs a command to its end. */
export const runProgram = (args: readonly string[], environment?: Record<string, string>) =>
  spawnProgram(args, environment).finished();

function collect(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const collected = { text: '', ended: Promise.resolve() };
  collected.ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) collected.text += decoder.decode(chunk, { stream: true });
  })();
  return collected;
}
