import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeRelease } from './make-release.ts';
import { archiveName } from './pack-archive.ts';
import { ownPlatform, platforms } from './platforms.ts';
import { changedFiles } from './release-commit.ts';
import { makeReleaseKey, ownKeyFile, readReleaseKey } from './release-key.ts';
import { tryArchive } from './try-archive.ts';

// `npm run release -- VERSION`: makes all files of a release from the checked-out commit.
// docs/releases.md describes them.

const USAGE = `usage: npm run release -- VERSION [--key FILE] [--base-url URL] [--out DIR]

  --key       the Ed25519 key that signs (PEM; default: ~/.config/tollgate/release-key.pem, which the first release makes)
  --base-url  the address at which the files will be published; the installer fetches from there
  --out       the folder for the files (default: dist/VERSION)`;

const root = join(import.meta.dir, '..', '..');

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      args: process.argv.slice(2),
      options: {
        key: { type: 'string' },
        'base-url': { type: 'string' },
        out: { type: 'string' },
        help: { type: 'boolean' },
      },
      allowPositionals: true,
    });
    const [version, ...more] = positionals;
    return { ...values, version: more.length > 0 ? undefined : version };
  } catch (error) {
    console.error((error as Error).message);
    return { version: undefined };
  }
}

/** On a forge the key is a secret of the repository. A key that the run made would be lost with the run. */
function findKey(file: string | undefined) {
  const path = file ?? ownKeyFile();
  if (file === undefined && !process.env.CI && makeReleaseKey(path))
    console.log(`made the key ${path}; keep a copy of it`);
  return readReleaseKey(path);
}

function release(version: string, options: { key?: string; 'base-url'?: string; out?: string }): void {
  const key = findKey(options.key);
  const out = resolve(options.out ?? join(root, 'dist', version));
  const changed = changedFiles(root);
  if (changed.length > 0)
    console.log(`not in the release, since they are not committed: ${changed.length} changed files`);
  const baseUrl = options['base-url'] ?? '';
  makeRelease({
    root,
    revision: 'HEAD',
    version,
    out,
    key,
    platforms,
    baseUrl,
    report: (line) => console.log(line),
  });
  if (ownPlatform !== undefined) {
    const name = `tollgate-${version}-${ownPlatform.name}`;
    console.log(
      `started here: ${name} (${tryArchive(join(out, archiveName(version, ownPlatform.name)), name)})`,
    );
  }
  const others = platforms.filter((platform) => platform !== ownPlatform).map(({ name }) => name);
  console.log(
    `not started here: the archives for ${others.join(', ')}, the image, Compose, the chart and the systemd unit`,
  );
  console.log(`verify a file: bin/tollgate verify-release FILE --key ${key.publicKey}`);
  console.log(out);
}

const { version, help, ...options } = { help: false, ...readArguments() };
if (help || version === undefined) {
  console.log(USAGE);
  process.exit(help ? 0 : 2);
}
try {
  release(version, options);
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
