import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Unpacks an archive and starts its program without Node. Returns the version that the program prints. */
export function tryArchive(file: string, folderName: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-archive-'));
  try {
    const unpacked = Bun.spawnSync(['tar', '-xzf', file, '-C', folder]);
    if (!unpacked.success) throw new Error(`tar failed: ${unpacked.stderr}`);
    const program = join(folder, folderName, 'bin', 'tollgate');
    const { success, stdout, stderr } = Bun.spawnSync([program, '--version'], {
      env: { PATH: '/usr/bin:/bin', HOME: folder },
    });
    if (!success) throw new Error(`the program in ${file} does not start: ${stderr}`);
    return stdout.toString().trim();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
