import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dir, '..', '..');
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: bundle-program.ts FOLDER');

const placesOf = (path: string) => ({
  url: pathToFileURL(path).href,
  ...{ path, filename: path },
  ...{ dir: dirname(path), dirname: dirname(path) },
});
type Place = keyof ReturnType<typeof placesOf>;
const PLACE = /\bimport\.meta\.(url|path|filename|dirname|dir)\b/g;

/**
 * Bundles the program into a folder. The tests start it several hundred times, and a bundle starts in half the CPU time. Threads and files
 * that the program names by `import.meta` come from the source tree.
 */
const built = await Bun.build({
  // A fault changes classes of the program, so both are in one bundle and share its modules.
  entrypoints: ['src/program/main.ts', 'test/faults/inject-fault.ts', 'test/faults/inject-node-fault.ts'].map(
    (path) => join(root, path),
  ),
  outdir: folder,
  naming: { entry: '[name].[ext]' },
  target: 'bun',
  splitting: true,
  plugins: [
    {
      name: 'source-places',
      setup({ onLoad }) {
        onLoad({ filter: /\/(src|bench)\/.*\.ts$/ }, async ({ path }) => ({
          contents: (await readFile(path, 'utf8')).replace(PLACE, (_, name) =>
            JSON.stringify(placesOf(path)[name as Place]),
          ),
          loader: 'ts' as const,
        }));
      },
    },
  ],
});
if (!built.success) throw new AggregateError(built.logs);
