type Waiting = { url: string; child: Bun.Subprocess; logFile: string; timeoutMs?: number };

/** Waits for any answer. If the process exits or time runs out, throws with the reason from its log. */
export async function waitUntilAnswering({
  url,
  child,
  logFile,
  timeoutMs = 20_000,
}: Waiting): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    if (child.exitCode !== null)
      throw new Error(`ended with ${child.exitCode}: ${await readReason(logFile)}`);
    if (await answers(url)) return;
    await Bun.sleep(50);
  }
  throw new Error(`no answer within ${timeoutMs / 1000} s: ${await readReason(logFile)}`);
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000), keepalive: false });
    await answer.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the line with an error, else the last line. Runtimes print a trace and their version after the
 * error.
 */
async function readReason(logFile: string): Promise<string> {
  const lines = (await Bun.file(logFile).text()).trim().split('\n');
  const reason = lines.find((line) => /error/i.test(line)) ?? lines.at(-1);
  return reason?.trim() || '(its log is empty)';
}
