import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD_FILE, type Build } from '../../src/base/build/read-build.ts';
import type { ReleaseCommit } from './release-commit.ts';
import { runTool } from './run-tool.ts';

const COMMIT_LETTERS = 8;

/** Returns what the package says about its build. A release carries the public key that verifies it. */
export const buildOf = (commit: ReleaseCommit, releaseKey: string): Build => ({
  commit: commit.id.slice(0, COMMIT_LETTERS),
  date: commit.time.slice(0, 'yyyy-mm-dd'.length),
  releaseKey,
});

/** Lets npm choose the files of the package from `sources`, and writes them into `folder`. */
export function stagePackage(sources: string, build: Build, folder: string): void {
  writeFileSync(join(sources, BUILD_FILE), `${JSON.stringify(build)}\n`);
  // The scripts of the package would look for the runtime in the exported sources.
  const packed = runTool(sources, 'npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', folder);
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  runTool(folder, 'tar', '-xzf', filename, '--strip-components=1');
  rmSync(join(folder, filename));
}
