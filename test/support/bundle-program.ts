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

const USUAL_COST = 'N: 16384,';

/** A password costs 66 ms of CPU time to hash or check, and 4 ms with this cost. */
const quickPasswords: BunPlugin = {
  name: 'quick-passwords',
  setup({ onLoad }) {
    onLoad({ filter: /@better-auth\/utils\/dist\/password\.node\.mjs$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes(USUAL_COST)) throw new Error(`${path} does not have the text ${USUAL_COST}`);
      return { contents: text.replace(USUAL_COST, 'N: 1024,'), loader: 'js' as const };
    });
  },
};

const WARM_UP = 'warmUp(this.#foundation);';

/** A start needs a sixth less CPU time without the warm-up. Starts of the source tree have it. */
const withoutWarmUp: BunPlugin = {
  name: 'without-warm-up',
  setup({ onLoad }) {
    onLoad({ filter: /\/assembled-server\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes(WARM_UP)) throw new Error(`${path} does not have the text ${WARM_UP}`);
      return { contents: text.replace(WARM_UP, ''), loader: 'ts' as const };
    });
  },
};

const plugins = [withoutWarmUp, sourcePlaces, siteFromBundle, quickPasswords];

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
