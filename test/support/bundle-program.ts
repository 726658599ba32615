import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildConfig, BunPlugin } from 'bun';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { emptyDatabaseIn } from './copy-empty-database.ts';
import { isFull } from './is-full.ts';
import { prebuildSite } from './prebuilt-site.ts';

const root = join(import.meta.dir, '..', '..');
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: bundle-program.ts FOLDER');

const placesOf = (path: string) => ({
  url: pathToFileURL(path).href,
  path,
  filename: path,
  dir: dirname(path),
  dirname: dirname(path),
});
type Place = keyof ReturnType<typeof placesOf>;
const PLACE = /\bimport\.meta\.(url|path|filename|dirname|dir)\b/g;

const sourcePlaces: BunPlugin = {
  name: 'source-places',
  setup({ onLoad }) {
    onLoad({ filter: /\/(src|bench)\/.*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(PLACE, (_, name) =>
        JSON.stringify(placesOf(path)[name as Place]),
      ),
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

const plugins = [shortened, sourcePlaces, siteFromBundle];

/**
 * Bundles the program into a folder. The tests start it several hundred times, and a bundle starts in half
 * the CPU time. Threads and files that the program names by `import.meta` come from the source tree.
 */
async function bundle(config: Partial<BuildConfig> & Pick<BuildConfig, 'entrypoints'>): Promise<void> {
  const built = await Bun.build({
    outdir: folder!,
    target: 'bun',
    plugins,
    ...config,
  } as BuildConfig);
  if (!built.success) throw new AggregateError(built.logs);
}

const main = join(root, 'src', 'program', 'main.ts');

/** Precompiled, a start needs a quarter less. */
const precompile = (entrypoint: string, name: string): Promise<void> =>
  bundle({
    entrypoints: [entrypoint],
    naming: { entry: `${name}.[ext]` },
    format: 'cjs',
    bytecode: true,
    plugins: [...plugins, benchmarkFromSource],
  });

/** A fault changes classes of the program, so both are in one bundle and share its modules. */
async function precompileWith(fault: string): Promise<void> {
  const both = join(folder!, `${fault}-and-main.ts`);
  const modules = [join(root, 'test', 'faults', `${fault}.ts`), main];
  await writeFile(both, modules.map((path) => `import ${JSON.stringify(path)};\n`).join(''));
  await precompile(both, fault);
}

await Promise.all([
  precompile(main, 'precompiled'),
  precompileWith('inject-fault'),
  // Only a full run kills several nodes in the steps of a charge.
  ...(isFull ? [precompileWith('inject-node-fault')] : []),
]);
await prebuildSite(folder);
await (await openSqliteStore({ directory: emptyDatabaseIn(folder) })).close();
