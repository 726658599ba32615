import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LockedPackage } from './locked-packages.ts';
import type { Platform } from './platforms.ts';
import { runTool } from './run-tool.ts';
import type { TarFile } from './tar.ts';

const LICENSE_FILES = ['LICENSE', 'LICENSE.md', 'README.md'];

/** Fetches a platform's runtime from the npm registry, and checks it against package-lock.json. */
export function fetchRuntime(platform: Platform, packages: readonly LockedPackage[]): TarFile[] {
  const locked = packages.find(({ name }) => name === platform.runtimePackage);
  if (locked === undefined) throw new Error(`package-lock.json has no ${platform.runtimePackage}`);
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-runtime-'));
  try {
    const spec = `${locked.name}@${locked.version}`;
    const packed = runTool(folder, 'npm', 'pack', '--json', '--prefer-offline', spec);
    const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
    const hash = createHash('sha512')
      .update(readFileSync(join(folder, filename)))
      .digest('hex');
    if (hash !== locked.sha512) throw new Error(`${spec} is not the package that package-lock.json pins`);
    runTool(folder, 'tar', '-xzf', filename);
    return [programOf(join(folder, 'package'), platform), ...textsOf(join(folder, 'package'))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function programOf(folder: string, { name, magic }: Platform): TarFile {
  const bytes = readFileSync(join(folder, 'bin', 'bun'));
  const isForPlatform = magic.bytes.every((byte, index) => bytes[magic.at + index] === byte);
  if (!isForPlatform) throw new Error(`the runtime is no program for ${name}`);
  return { path: 'runtime/bun', bytes, isProgram: true };
}

const textsOf = (folder: string): TarFile[] =>
  LICENSE_FILES.filter((name) => existsSync(join(folder, name))).map((name) => ({
    path: `runtime/${name}`,
    bytes: readFileSync(join(folder, name)),
    isProgram: false,
  }));
