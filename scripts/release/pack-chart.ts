import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packTar, readFolder } from './tar.ts';

export const CHART = 'deploy/helm/tollgate';

/** Packs the chart as `helm package` does: below its name, without the files for checks. */
export function packChart(sources: string, timeSeconds: number): Uint8Array<ArrayBuffer> {
  const files = readFolder(join(sources, CHART), 'tollgate/');
  return packTar(
    files.filter(({ path }) => !path.startsWith('tollgate/ci/')),
    timeSeconds,
  );
}

/** Returns the versions that the chart names: its own, and the one of the program. */
export function chartVersions(sources: string): string[] {
  const { version, appVersion } = parse(readFileSync(join(sources, CHART, 'Chart.yaml'), 'utf8'));
  return [version, appVersion];
}
