import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRelease } from '../release/make-release.ts';
import { readReleaseKey } from '../release/release-key.ts';
import { runTool } from '../release/run-tool.ts';

// Makes a release of the checked-out commit without archives, and puts its deployment files, its chart and
// its installer into a folder. The key is made for this purpose.

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: render-release.ts FOLDER');
const root = join(import.meta.dir, '..', '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const keyFile = join(folder, 'release-key.pem');
const { privateKey } = generateKeyPairSync('ed25519');
writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
const out = join(folder, 'release');
rmSync(out, { recursive: true, force: true });
makeRelease({
  root,
  revision: 'HEAD',
  version,
  out,
  key: readReleaseKey(keyFile),
  platforms: [],
  baseUrl: '',
  report: () => {},
});
mkdirSync(join(folder, 'deploy'), { recursive: true });
const archive = join(out, `tollgate-${version}-deploy.tar.gz`);
runTool(folder, 'tar', '-xzf', archive, '--strip-components=1', '-C', 'deploy');
copyFileSync(join(out, 'install.sh'), join(folder, 'install.sh'));
copyFileSync(join(out, `tollgate-chart-${version}.tgz`), join(folder, 'chart.tgz'));
