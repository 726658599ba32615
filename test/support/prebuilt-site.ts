import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSite as build, type Site } from '../../src/console/site/build-site.ts';
import { CompressedFile } from '../../src/edge/http/compressed-file.ts';

export { ASSETS } from '../../src/console/site/build-site.ts';

const FILE = 'site.json';

type Stored = Omit<Site, 'files'> & { files: { name: string; type: string; plain: string; gzip: string }[] };

/** Builds the dashboard into the folder of the bundle. */
export async function prebuildSite(bundleFolder: string): Promise<void> {
  const { files, ...names } = await build();
  const stored = await Promise.all(
    [...files].map(async ([name, file]) => {
      const [plain, gzip] = await Promise.all([file.in('plain'), file.in('gzip')]);
      return { name, type: file.type, plain: plain.toBase64(), gzip: gzip.toBase64() };
    }),
  );
  const site: Stored = { ...names, files: stored };
  await Bun.write(join(bundleFolder, FILE), JSON.stringify(site));
}

/** Reads the dashboard from the folder of the running program. A build and the compression take 0.15 s. */
export async function buildSite(): Promise<Site> {
  const { files, ...names }: Stored = JSON.parse(readFileSync(join(dirname(process.execPath), FILE), 'utf8'));
  return { ...names, files: new Map(files.map((file) => [file.name, restore(file)])) };
}

function restore({ name, type, plain, gzip }: Stored['files'][number]): Pick<CompressedFile, 'type' | 'in'> {
  const file = new CompressedFile(name, Uint8Array.fromBase64(plain));
  const stored = Uint8Array.fromBase64(gzip);
  return { type, in: async (encoding) => (encoding === 'gzip' ? stored : file.in(encoding)) };
}
