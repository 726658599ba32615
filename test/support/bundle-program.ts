import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BunPlugin } from 'bun';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { bundledPreloads, PRELOAD_VARIABLE } from './bundled-preloads.ts';
import { emptyDatabaseIn } from './copy-empty-database.ts';
import { prebuildSite } from './prebuilt-site.ts';

const root = join(import.meta.dir, '..', '..');
const main = join(root, 'src', 'program', 'main.ts');
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: bundle-program.ts FOLDER');
const program = join(folder, 'tollgate');

const placesOf = (path: string) => ({
  url: pathToFileURL(path).href,
  path,
  filename: path,
  dir: dirname(path),
  dirname: dirname(path),
});
type Place = keyof ReturnType<typeof placesOf>;
/** The threads that tests start often. From the source tree, one costs three times the CPU time. */
const threads = [
  'src/settings/snapshot/read-contents-in-thread.ts',
  'src/store/sqlite/move-log-in-thread.ts',
];
const THREAD = /new URL\('\.\/([\w-]+\.ts)', import\.meta\.url\)\.href/g;
const PLACE = /\bimport\.meta\.(url|path|filename|dirname|dir)\b/g;

const isBundled = (file: string): boolean => threads.some((thread) => basename(thread) === file);

/**
 * Returns the code of a module with the places of its source. A thread of the executable is found by the name
 * of its file.
 */
const inPlace = (code: string, path: string): string =>
  code
    .replace(THREAD, (url, file) => (isBundled(file) ? `'./${file}'` : url))
    .replace(PLACE, (_, name) => JSON.stringify(placesOf(path)[name as Place]));

const sourcePlaces: BunPlugin = {
  name: 'source-places',
  setup({ onLoad }) {
    onLoad({ filter: /\/(src|bench)\/.*\.ts$/ }, async ({ path }) => ({
      contents: inPlace(await readFile(path, 'utf8'), path),
      loader: 'ts' as const,
    }));
  },
};

/**
 * Precompiled code has no `await` outside of functions.
 * The benchmark has one, and comes from the source tree.
 */
const benchmarkFromSource: BunPlugin = {
  name: 'benchmark-from-source',
  setup({ onResolve }) {
    onResolve({ filter: /\/bench\/run-benchmark\.ts$/ }, () => ({
      path: join(root, 'bench', 'run-benchmark.ts'),
      external: true,
    }));
  },
};

/** The servers of tests read the dashboard that is built here once. */
const siteFromBundle: BunPlugin = {
  name: 'site-from-bundle',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/build-site\.ts$/ }, () => ({
      path: join(import.meta.dir, 'prebuilt-site.ts'),
    }));
  },
};

/** Texts of modules that the bundle replaces, since a test gains nothing from their cost. */
const shortcuts = [
  // A password costs 66 ms of CPU time to hash or check, and 4 ms with the lower cost.
  { module: '@better-auth/utils/dist/password.node.mjs', text: 'N: 16384,', replacement: 'N: 1024,' },
  // A start needs a sixth less CPU time without the warm-up. Starts of the source tree have it.
  { module: 'src/program/assembly/assembled-server.ts', text: 'warmUp(this.#foundation);', replacement: '' },
  // A start needs a tenth less without the collection at its end.
  { module: 'src/program/server/serve.ts', text: 'Bun.gc(true);', replacement: '' },
  // An executable takes its parameters without the path of the program.
  { module: 'src/program/workers/worker-process.ts', text: 'argv.slice(1)', replacement: 'argv.slice(2)' },
];

const quotedForPattern = (text: string): string => text.replace(/[/.]/g, '\\$&');

const shortened: BunPlugin = {
  name: 'shortened',
  setup({ onLoad }) {
    for (const { module, text, replacement } of shortcuts) {
      onLoad({ filter: new RegExp(`/${quotedForPattern(module)}$`) }, async ({ path }) => {
        const contents = await readFile(path, 'utf8');
        if (!contents.includes(text)) throw new Error(`${path} does not have the text ${text}`);
        return {
          contents: contents.replace(text, replacement),
          loader: path.endsWith('.ts') ? ('ts' as const) : ('js' as const),
        };
      });
    }
  },
};

/**
 * Bundles the program into an executable. The tests start it several hundred times. Its bytecode is mapped
 * into memory, so it starts in a third of the CPU time. Other threads, and files that the program names by
 * `import.meta`, come from the source tree.
 */
async function compileProgram(entrypoint: string): Promise<void> {
  const built = await Bun.build({
    entrypoints: [entrypoint, ...threads.map((thread) => join(root, thread))],
    naming: { entry: '[name].[ext]' },
    target: 'bun',
    format: 'cjs',
    bytecode: true,
    // The other threads find their packages as the source tree does.
    compile: { outfile: program, autoloadPackageJson: true },
    plugins: [shortened, sourcePlaces, siteFromBundle, benchmarkFromSource],
  });
  if (!built.success) throw new AggregateError(built.logs);
  // A file system can forbid to execute its files. The tests then start the source tree.
  Bun.spawnSync([program, '--version']);
}

/** A preloaded script changes classes of the program, so it is in the bundle and shares its modules. */
async function writeEntry(): Promise<string> {
  const path = join(folder!, 'entry.ts');
  const preloads = bundledPreloads.map(
    (script) =>
      `if (process.env.${PRELOAD_VARIABLE} === ${JSON.stringify(script)}) require(${JSON.stringify(script)});\n`,
  );
  await writeFile(path, `${preloads.join('')}require(${JSON.stringify(main)});\n`);
  return path;
}

await compileProgram(await writeEntry());
await prebuildSite(folder);
await (await openSqliteStore({ directory: emptyDatabaseIn(folder) })).close();
