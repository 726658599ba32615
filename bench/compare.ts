import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOfError } from '../src/base/lib/message-of-error.ts';
import { compareUsage, parseCompareArguments } from './compare/compare-options.ts';
import { installPeers } from './compare/install-peers.ts';
import { runComparison } from './compare/run-comparison.ts';
import { writePage } from './compare/write-page.ts';
import { allPeers } from './peers/all-peers.ts';

// Compares Tollgate with its peers and writes docs/benchmarks.md:
// `node scripts/run.mjs bench/compare.ts --help`.

const report = (line: string) => console.error(line);

async function compare(argv: string[]): Promise<number> {
  const { options, isInstall, isHelp } = parseCompareArguments(argv);
  if (isHelp) {
    console.log(compareUsage);
    return 0;
  }
  if (isInstall) return (await installPeers(allPeers, report)) ? 0 : 1;
  const begun = performance.now();
  const comparison = await runComparison(options, report);
  const folder = options.outFolder ?? mkdtempSync(join(tmpdir(), 'tollgate-benchmarks-'));
  writePage(folder, comparison);
  for (const { system, reason } of comparison.skipped) console.log(`not measured: ${system}: ${reason}`);
  console.log(`${join(folder, 'benchmarks.md')} after ${Math.round((performance.now() - begun) / 1_000)} s`);
  return 0;
}

try {
  process.exit(await compare(process.argv.slice(2)));
} catch (error) {
  console.error(`bench: ${messageOfError(error)}`);
  process.exit(1);
}
