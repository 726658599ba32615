import { join } from 'node:path';

export type Writer = {
  /** Resolves once the first write was acknowledged. */
  started: Promise<void>;
  /** Ends it with SIGKILL, and returns every id that it had printed. */
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
      // A line that the kill cut off was never acknowledged to anybody.
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
