import { fileURLToPath } from 'node:url';
import { CompressedFile } from '../../edge/http/compressed-file.ts';

/** The built dashboard. The names of its files contain hashes of their contents. */
export type Site = {
  files: ReadonlyMap<string, Pick<CompressedFile, 'type' | 'in'>>;
  /** The script that the page starts with. */
  script: string;
  /** The scripts that the first one needs at once. */
  parts: readonly string[];
  style: string;
};

const entry = fileURLToPath(new URL('../../../dashboard/main.tsx', import.meta.url));

/** The folder of the files in addresses. */
export const ASSETS = '/assets/';

/** Builds the dashboard for browsers: small, with a part for each page that is loaded when it is opened. */
export async function buildSite(): Promise<Site> {
  const { outputs, metafile } = await Bun.build({
    entrypoints: [entry],
    target: 'browser',
    minify: true,
    splitting: true,
    metafile: true,
    // The parts import each other by relative paths, so that the files work behind any path of a proxy.
    publicPath: './',
    naming: { entry: '[name]-[hash].[ext]', chunk: '[name]-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    // The files of an installed package have no tsconfig.json for the runtime.
    jsx: { runtime: 'automatic', importSource: 'preact', development: false },
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const namedOutputs = outputs.map((output) => ({ name: nameOf(output.path), output }));
  const files = await Promise.all(
    namedOutputs.map(
      async ({ name, output }) =>
        [name, new CompressedFile(name, new Uint8Array(await output.arrayBuffer()))] as const,
    ),
  );
  const script = namedOutputs.find(({ output }) => output.kind === 'entry-point')!.name;
  // The build was asked for a list of its outputs, and its first script imports a style.
  const listed = Object.entries(metafile!.outputs).map(([path, facts]) => ({ name: nameOf(path), ...facts }));
  const first = listed.find(({ name }) => name === script)!;
  const parts = first.imports
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => nameOf(path));
  return { files: new Map(files), script, parts, style: nameOf(first.cssBundle!) };
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
