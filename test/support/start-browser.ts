import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from './call.ts';
import { endWithUs } from './end-with-us.ts';
import { waitFor } from './wait-for.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];
const found = names.map((name) => Bun.which(name)).find((path) => path !== null);

export const hasBrowser = found !== undefined;

const flags = [
  ...['--headless=new', '--remote-debugging-port=0', '--no-first-run', '--no-default-browser-check'],
  // A container has no sandbox, and the browser shows only the server under test.
  ...['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
];

/** A browser without a window, with one page. Questions are asked of the page in its own language. */
export async function startBrowser() {
  const profile = mkdtempSync(join(tmpdir(), 'tollgate-browser-'));
  const child = Bun.spawn([found!, ...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  endWithUs(child);
  const portFile = join(profile, 'DevToolsActivePort');
  const port = () => {
    try {
      return Number(readFileSync(portFile, 'utf8').split('\n')[0]);
    } catch {
      return 0;
    }
  };
  await waitFor(() => port() > 0, 60_000);
  const pages = (await (await fetch(`http://127.0.0.1:${port()}/json/list`)).json()) as Json[];
  const page = await connectTo(pages.find(({ type }) => type === 'page').webSocketDebuggerUrl);
  return {
    ...page,
    async stop() {
      page.close();
      child.kill('SIGKILL');
      await child.exited;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function connectTo(url: string) {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const waiting = new Map<number, (answer: Json) => void>();
  const problems: string[] = [];
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data));
    if (message.method === 'Runtime.exceptionThrown') problems.push(JSON.stringify(message.params));
    if (message.method === 'Log.entryAdded') problems.push(message.params.entry.text);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  };
  let last = 0;
  const command = (method: string, params: object = {}): Promise<Json> =>
    new Promise((resolve) => {
      waiting.set(++last, resolve);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  await Promise.all(['Page.enable', 'Runtime.enable', 'Log.enable'].map((method) => command(method)));
  /** The value of an expression in the page. */
  const evaluate = async (expression: string): Promise<Json> => {
    const { result } = await command('Runtime.evaluate', {
      ...{ expression, awaitPromise: true, returnByValue: true },
    });
    if (result.exceptionDetails) throw new Error(JSON.stringify(result.exceptionDetails));
    return result.result.value;
  };
  return {
    evaluate,
    /** Exceptions of scripts, and resources that failed to load. */
    problems,
    async open(address: string): Promise<void> {
      await command('Page.navigate', { url: address });
      await until(`document.readyState === 'complete' && location.href === ${JSON.stringify(address)}`);
    },
    until,
    close: () => socket.close(),
  };

  async function until(expression: string): Promise<void> {
    await waitFor(async () => (await evaluate(expression).catch(() => false)) === true);
  }
}
