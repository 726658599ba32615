import { join } from 'node:path';

export type Writer = {
  /** Resolves after the first acknowledged write. */
  started: Promise<void>;
  /** Kills the process with SIGKILL, and returns every id that it printed. */
  kill(): Promise<string[]>;
};

/** Starts a process that writes to the store in `directory` until it is killed. */
export function startWriter(directory: string): Writer {
  const script = join(import.meta.dir, 'write-until-killed.ts');
  const child = Bun.spawn([process.execPath, script, directory], { stdout: 'pipe', stderr: 'inherit' });
  const started = Promise.withResolvers<void>();
  const printed = collect(child.stdout, started.resolve);
  return {
    started: started.promise,
    kill: async () => {
      child.kill('SIGKILL');
      await child.exited;
      // A line that the kill cut off was not acknowledged.
      return (await printed).split('\n').slice(0, -1);
    },
  };
}

async function collect(
  output: ReadableStream<Uint8Array<ArrayBuffer>>,
  onFirst: () => void,
): Promise<string> {
  let text = '';
  for await (const chunk of output.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    onFirst();
  }
  onFirst();
  return text;
}
