import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import lock from '../../package-lock.json' with { type: 'json' };
import { platforms } from '../../scripts/release/platforms.ts';
import { encodeForSignature } from '../../scripts/release/provenance.ts';
import { readReleaseKey } from '../../scripts/release/release-key.ts';
import { runCaptured } from '../../src/program/cli/testing/run-captured.ts';
import { hasRepository, openWorkshop, root, runIn, type Workshop } from '../support/test-release.ts';

type Locked = { version: string; dev?: boolean };
const packages: Record<string, Locked> = lock.packages;
const locked = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);

/** The documented commands are those of Linux. */
const hasOpenssl = process.platform === 'linux' && Bun.which('openssl') !== null;

describe.skipIf(!hasRepository)('a release of the checked-out commit, without the archives', () => {
  let workshop: Workshop;
  let folder: string;
  let key: string[];
  beforeAll(() => {
    workshop = openWorkshop();
    folder = workshop.make('first', []);
    key = ['--key', workshop.key.publicKey];
  });
  afterAll(() => workshop.remove());

  const read = (name: string): Buffer => readFileSync(join(folder, name));
  const verifyFile = (name: string, ...options: string[]) =>
    runCaptured(['verify-release', join(folder, name), ...options]);
  const nameOf = (suffix: string): string => `tollgate-${workshop.version}${suffix}`;

  test('has the package, the chart, the deployment files and the installer, with SBOMs, provenance and checksums', () => {
    const parts = [nameOf('.tgz'), nameOf('-deploy.tar.gz'), `tollgate-chart-${workshop.version}.tgz`];
    const others = ['SHA256SUMS', 'SHA256SUMS.sig', 'install.sh', nameOf('.intoto.jsonl')];
    const expected = [...parts, ...parts.map((name) => `${name}.cdx.json`), ...others];
    expect(readdirSync(folder).sort()).toEqual(expected.sort());
    const listed = read('SHA256SUMS').toString().trimEnd().split('\n');
    const files = expected.filter((name) => !name.startsWith('SHA256SUMS'));
    const sha256 = (name: string): string => createHash('sha256').update(read(name)).digest('hex');
    expect(listed).toEqual(files.sort().map((name) => `${sha256(name)}  ${name}`));
  });

  test('is equal byte for byte to a second one of the same commit', () => {
    const second = workshop.make('second', []);
    for (const name of readdirSync(folder))
      expect({ name, result: readFileSync(join(second, name)).equals(read(name)) }).toEqual({
        name,
        result: true,
      });
  });

  test('refuses a folder that has files, and a version that the commit does not have', () => {
    expect(() => workshop.make('first', [])).toThrow('is not empty');
    const { status, stderr } = runRelease(
      '9.9.9',
      '--key',
      workshop.path('key.pem'),
      '--out',
      workshop.path('other'),
    );
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('the commit is not 9.9.9'),
    });
  });

  test('is verified offline, file by file, and a changed byte in any file is refused', async () => {
    for (const name of readdirSync(folder)) {
      const { code, printed } = await verifyFile(name, ...key);
      expect({ name, code, printed }).toEqual({
        name,
        code: 0,
        printed: expect.stringContaining('verified with the key'),
      });
      const bytes = read(name);
      const changed = Buffer.from(bytes);
      changed[Math.floor(bytes.length / 2)]! ^= 1;
      writeFileSync(join(folder, name), changed);
      const refused = await verifyFile(name, ...key);
      expect({ name, code: refused.code, remarked: refused.remarked }).toEqual({
        name,
        code: 1,
        remarked: expect.stringContaining(folder),
      });
      writeFileSync(join(folder, name), bytes);
    }
  });

  test.skipIf(!hasOpenssl)(
    'is verified by the documented commands before the first installation, which refuse a changed list',
    () => {
      const page = readFileSync(join(root, 'docs/releases.md'), 'utf8');
      const block = /```sh verify\n(printf [\s\S]*?)```/.exec(page)![1]!;
      const place = workshop.path('documented');
      cpSync(folder, place, { recursive: true });
      const script = `set -e; KEY=${workshop.key.publicKey}; ${block}`;
      expect(runIn(place, 'sh', '-c', script)).toMatchObject({ code: 0 });
      writeFileSync(join(place, 'SHA256SUMS'), `${readFileSync(join(place, 'SHA256SUMS'))}\n`);
      expect(runIn(place, 'sh', '-c', script).code).not.toBe(0);
    },
  );

  test('is refused with a different key, without a list, under a different name, and if the file is missing', async () => {
    const other = openWorkshop();
    expect(await verifyFile(nameOf('.tgz'), '--key', other.key.publicKey)).toMatchObject({
      code: 1,
      remarked: expect.stringContaining('is not signed with the key'),
    });
    other.remove();
    writeFileSync(join(folder, 'unlisted'), '');
    expect((await verifyFile('unlisted', ...key)).remarked).toContain('does not list unlisted');
    renameSync(join(folder, 'unlisted'), workshop.path('unlisted'));
    expect(await runCaptured(['verify-release', workshop.path('unlisted'), ...key])).toMatchObject({
      code: 1,
      remarked: expect.stringContaining('SHA256SUMS cannot be read: ENOENT'),
    });
    expect((await verifyFile('missing.tgz', ...key)).code).toBe(1);
    expect(await verifyFile(nameOf('.tgz'), '--key', 'short')).toMatchObject({ code: 2 });
    expect(await verifyFile(nameOf('.tgz'))).toMatchObject({
      code: 1,
      remarked: expect.stringContaining('name one with --key'),
    });
    const { printed } = await verifyFile(nameOf('.tgz'), ...key, '--json');
    expect(JSON.parse(printed)).toEqual({
      file: join(folder, nameOf('.tgz')),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      key: workshop.key.publicKey,
    });
  });

  test('has a program that verifies releases with the key of its own', () => {
    const place = workshop.path('installed');
    mkdirSync(place);
    expect(runIn(place, 'tar', '-xzf', join(folder, nameOf('.tgz')), '--strip-components=1').code).toBe(0);
    symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
    const found = runIn(place, 'bin/tollgate', 'verify-release', join(folder, nameOf('.tgz')));
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining(workshop.key.publicKey) });
    const { commit, date } = JSON.parse(readFileSync(join(place, 'build.json'), 'utf8'));
    expect(runIn(place, 'bin/tollgate', '--version').stdout).toBe(`${workshop.version}+${commit} ${date}\n`);
  });

  test('has deployment files that build the image from the archives, and an installer without foreign marks', () => {
    const place = workshop.path('deployment');
    mkdirSync(place);
    expect(
      runIn(place, 'tar', '-xzf', join(folder, nameOf('-deploy.tar.gz')), '--strip-components=1').code,
    ).toBe(0);
    const textOf = (path: string): string => readFileSync(join(place, path), 'utf8');
    for (const file of ['compose', 'postgres']) {
      const { services } = parse(textOf(`compose/${file}.yaml`), { merge: true });
      const contexts = Object.values<{ build?: { context: string } }>(services).flatMap(
        ({ build }) => build?.context ?? [],
      );
      expect([file, ...new Set(contexts)]).toEqual([file, '../image']);
    }
    const image = readdirSync(join(place, 'image')).sort();
    expect(image).toEqual(['Dockerfile', 'archives.sha256', 'docker-bake.json', 'healthcheck.mjs']);
    expect(JSON.parse(textOf('image/docker-bake.json'))).toMatchObject({
      variable: { VERSION: { default: workshop.version } },
      target: { default: { platforms: ['linux/amd64', 'linux/arm64'] } },
    });
    const installer = read('install.sh').toString();
    expect(installer).toContain(`version='${workshop.version}'`);
    expect(installer).not.toMatch(/@[a-z0-9-]+@/);
    expect(runIn(folder, 'sh', '-n', 'install.sh').code).toBe(0);
  });

  test('lists every package that the program needs in its SBOM, with licence and checksum', () => {
    const bom = JSON.parse(read(nameOf('.tgz.cdx.json')).toString());
    const listed = bom.components.map(({ purl }: { purl: string }) => decodeURIComponent(purl)).sort();
    const wanted = locked.map(
      ([path, { version }]) => `pkg:npm/${path.split('node_modules/').at(-1)}@${version}`,
    );
    expect(listed).toEqual(wanted.sort());
    for (const { licenses, hashes } of bom.components) {
      expect(licenses).toHaveLength(1);
      expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
    }
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
    const refs = new Set([bom.metadata.component, ...bom.components].map((each) => each['bom-ref']));
    const edges: { ref: string; dependsOn: string[] }[] = bom.dependencies;
    expect(edges).toHaveLength(refs.size);
    expect(
      edges.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !refs.has(ref)),
    ).toEqual([]);
    expect(edges[0]!.dependsOn.map((ref) => ref.split('@')[0])).toContain('pkg:npm/yaml');
  });

  test('has provenance that names every file with its checksum, the commit and the lock file, and is signed', () => {
    const { payload, signatures } = JSON.parse(read(nameOf('.intoto.jsonl')).toString());
    const statement = JSON.parse(Buffer.from(payload, 'base64').toString());
    const sums = read('SHA256SUMS')
      .toString()
      .trim()
      .split('\n')
      .map((line) => line.split('  '));
    for (const { name, digest } of statement.subject) expect(sums).toContainEqual([digest.sha256, name]);
    expect(statement.subject).toHaveLength(sums.length - 1); // it cannot name itself
    const { resolvedDependencies } = statement.predicate.buildDefinition;
    expect(resolvedDependencies[0]).toMatchObject({ digest: { gitCommit: workshop.revision } });
    expect(resolvedDependencies[1]).toMatchObject({ name: 'package-lock.json' });
    const der = Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(signatures[0].keyid, 'base64'),
    ]);
    const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const signed = encodeForSignature(Buffer.from(payload, 'base64'));
    expect(verify(null, signed, publicKey, Buffer.from(signatures[0].sig, 'base64'))).toBe(true);
    expect(signatures[0].keyid).toBe(workshop.key.publicKey);
  });
});

function runRelease(...args: string[]) {
  const child = runIn(root, process.execPath, 'scripts/release/release.ts', ...args);
  return { status: child.code, stdout: child.stdout, stderr: child.stderr };
}

test('npm run release without a version, or with an unknown option, shows how it is used', () => {
  expect(runRelease()).toMatchObject({
    status: 2,
    stdout: expect.stringContaining('usage: npm run release'),
  });
  expect(runRelease('1.0.0', '--keys', 'x').status).toBe(2);
  expect(runRelease('1.0.0', '2.0.0').status).toBe(2);
});

test('neither a key of a different kind nor a file without a key signs a release', () => {
  const workshop = openWorkshop();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(workshop.path('rsa.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(workshop.path('empty.pem'), '');
  for (const name of ['rsa.pem', 'empty.pem'])
    expect(() => readReleaseKey(workshop.path(name))).toThrow(`${name} has no private Ed25519 key`);
  workshop.remove();
});

test('package-lock.json pins the runtime of every platform that has an archive', () => {
  const names = locked.map(([path]) => path.slice('node_modules/'.length));
  expect(platforms.filter(({ runtimePackage }) => !names.includes(runtimePackage))).toEqual([]);
  expect(platforms.map(({ name }) => name)).toEqual([
    'linux-x64',
    'linux-arm64',
    'darwin-x64',
    'darwin-arm64',
  ]);
});
