import { afterAll, beforeEach, expect, test } from 'bun:test';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { archiveName } from '../../scripts/release/pack-archive.ts';
import { ownPlatform } from '../../scripts/release/platforms.ts';
import { makeReleaseKey, ownKeyFile } from '../../scripts/release/release-key.ts';
import { renderInstaller } from '../../scripts/release/render-installer.ts';
import { packTar } from '../../scripts/release/tar.ts';
import { verifyRelease } from '../../src/program/cli/verify-release.ts';
import { temporaryDirectory } from '../../src/store/sqlite/testing/temporary-directory.ts';
import { root, runIn } from '../support/test-release.ts';

const VERSION = '1.2.3';
const { directory: scratch, remove } = temporaryDirectory();
afterAll(remove);

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(scratch, 'place-'));
});

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Makes an archive whose program prints a text. */
function archiveOf(version: string, platform: string, printed = version): Uint8Array {
  const path = `tollgate-${version}-${platform}/bin/tollgate`;
  return packTar([{ path, bytes: Buffer.from(`#!/bin/sh\necho ${printed}\n`), isProgram: true }], 0);
}

/** The files of a release for this machine: its installer and its archive. */
function prepareInstaller(platform: string): { archive: string; script: string } {
  const name = archiveName(VERSION, platform);
  const bytes = archiveOf(VERSION, platform);
  writeFileSync(join(place, name), bytes);
  const archives = [{ name, sha256: sha256(bytes) }];
  const script = renderInstaller(root, { version: VERSION, baseUrl: '', archives });
  writeFileSync(join(place, 'install.sh'), script);
  return { archive: join(place, name), script };
}

const install = (...options: string[]) => runIn(place, 'sh', 'install.sh', ...options);

if (ownPlatform === undefined)
  console.log('not run: the tests of install.sh have no archive for this machine');
const installerTest = test.skipIf(ownPlatform === undefined);

installerTest('install.sh installs into directories whose names a shell or a program could misread', () => {
  prepareInstaller(ownPlatform!.name);
  for (const name of ['a b', 'back\\slash', '$(touch made)', '-dash', "quote'", 'line\nbreak']) {
    const found = install('--prefix', name, '--bin', join(place, name, 'bin'));
    expect({ name, code: found.code, stderr: found.stderr }).toEqual({ name, code: 0, stderr: '' });
    expect(readlinkSync(join(place, name, 'bin/tollgate'))).toBe(join(place, name, VERSION, 'bin/tollgate'));
  }
  expect(existsSync(join(place, 'made'))).toBe(false);
});

installerTest('install.sh makes directories that all users can enter, also with a strict umask', () => {
  prepareInstaller(ownPlatform!.name);
  const found = runIn(place, 'sh', '-c', 'umask 077 && sh install.sh --prefix new/prefix --bin new/bin');
  expect(found.code).toBe(0);
  for (const path of ['new', 'new/prefix', `new/prefix/${VERSION}`, 'new/bin'])
    expect([path, statSync(join(place, path)).mode & 0o777]).toEqual([path, 0o755]);
});

installerTest(
  'install.sh refuses a changed archive, an empty value and a directory in place of the command',
  () => {
    const { archive } = prepareInstaller(ownPlatform!.name);
    const fails = (text: string, ...options: string[]) =>
      expect(install('--prefix', 'to', '--bin', 'to/bin', ...options)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(text),
      });
    for (const option of ['--from', '--prefix', '--bin']) fails(`${option} needs a value`, option, '');
    mkdirSync(join(place, 'other/tollgate'), { recursive: true });
    fails('is a directory', '--bin', 'other');
    fails('there is no', '--from', '/');
    writeFileSync(archive, archiveOf(VERSION, ownPlatform!.name, 'a different program'));
    fails('nothing was installed');
    expect(readdirSync(join(place, 'to')).filter((name) => name !== 'bin')).toEqual([]);
    expect(readdirSync(join(place, 'other/tollgate'))).toEqual([]);
  },
);

installerTest('a part of install.sh changes nothing, since a transfer can break off', () => {
  const { script } = prepareInstaller(ownPlatform!.name);
  const before = readdirSync(place).sort();
  const home = join(scratch, 'home');
  const ends = [...script.matchAll(/\n/g)].map(({ index }) => index);
  for (const end of ends.slice(0, -1)) {
    writeFileSync(join(place, 'install.sh'), script.slice(0, end));
    Bun.spawnSync(['sh', 'install.sh', '--prefix', 'to', '--bin', 'to/bin'], {
      cwd: place,
      env: { PATH: process.env.PATH!, HOME: home },
    });
    expect([script.slice(0, end).split('\n').length, ...readdirSync(place).sort()].slice(1)).toEqual(before);
  }
});

test('the key that a release makes is outside the repository for its owner only', () => {
  for (const XDG_CONFIG_HOME of ['', 'relative', undefined])
    expect(ownKeyFile({ XDG_CONFIG_HOME })).toBe(join(homedir(), '.config/tollgate/release-key.pem'));
  const file = ownKeyFile({ XDG_CONFIG_HOME: place });
  expect(makeReleaseKey(file)).toBe(true);
  const made = readFileSync(file, 'utf8');
  expect(makeReleaseKey(file)).toBe(false);
  expect(readFileSync(file, 'utf8')).toEqual(made);
  expect([file, join(place, 'tollgate')].map((path) => statSync(path).mode & 0o077)).toEqual([0, 0]);
});

test('verify-release refuses a list without a signature, a part of a list, foreign names and links to other files', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');
  const path = (name: string): string => join(place, name);
  const list = ['a.tgz', 'b.tgz'].map((name) => `${sha256(Buffer.from(name))}  ${name}\n`).join('');
  writeFileSync(path('a.tgz'), 'a.tgz');
  writeFileSync(path('SHA256SUMS'), list);
  const verify = (name: string) => verifyRelease(path(name), key);
  await expect(verify('a.tgz')).rejects.toThrow('SHA256SUMS.sig cannot be read: ENOENT');
  for (const signature of ['', 'AAAA', 'A'.repeat(88)]) {
    writeFileSync(path('SHA256SUMS.sig'), signature);
    await expect(verify('a.tgz')).rejects.toThrow('is not signed with the key');
  }
  writeFileSync(path('SHA256SUMS.sig'), sign(null, Buffer.from(list), privateKey).toString('base64'));
  expect(await verify('a.tgz')).toMatchObject({ sha256: sha256(Buffer.from('a.tgz')) });
  symlinkSync('a.tgz', path('b.tgz'));
  await expect(verify('b.tgz')).rejects.toThrow('has the checksum');
  symlinkSync('a.tgz', path('c.tgz'));
  mkdirSync(path('folder'));
  for (const name of ['c.tgz', 'folder', 'SHA256SUMS.sig.old', 'A.TGZ'])
    await expect(verify(name)).rejects.toThrow('does not list');
  await expect(verify('folder/a.tgz')).rejects.toThrow('cannot be read');
  writeFileSync(path('SHA256SUMS'), list.slice(0, list.indexOf('\n') + 1));
  await expect(verify('a.tgz')).rejects.toThrow('is not signed with the key');
});

/** Runs the step of the image's Dockerfile that unpacks the archives, with directories of this test. */
function buildImage(architecture: string) {
  const text = readFileSync(join(root, 'deploy/image/Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  const step = /^RUN (.*)$/m.exec(text)![1]!.replace(/(?<![\w.])\/(out|empty)\b/g, `${place}/$1`);
  writeFileSync(join(place, 'healthcheck.mjs'), '');
  rmSync(join(place, 'out'), { recursive: true, force: true });
  return runIn(place, 'env', `TARGETARCH=${architecture}`, 'sh', '-ec', step);
}

test.skipIf(process.platform !== 'linux')(
  'the image is built from the archive that the release lists for its processor, and from no other one',
  () => {
    const put = (version: string, platform: string, printed?: string): string => {
      const bytes = archiveOf(version, platform, printed);
      writeFileSync(join(place, archiveName(version, platform)), bytes);
      return `${sha256(bytes)}  ${archiveName(version, platform)}\n`;
    };
    const program = () => runIn(place, 'out/opt/tollgate/bin/tollgate').stdout.trim();
    const listed = put(VERSION, 'linux-x64') + put(VERSION, 'linux-arm64');
    writeFileSync(join(place, 'archives.sha256'), listed);
    for (const architecture of ['amd64', 'arm64']) {
      expect(buildImage(architecture)).toMatchObject({ code: 0 });
      expect(program()).toBe(VERSION);
    }
    put('1.2.2', 'linux-x64');
    expect(buildImage('amd64')).toMatchObject({ code: 0 });
    expect(program()).toBe(VERSION);
    rmSync(join(place, archiveName(VERSION, 'linux-x64')));
    expect(buildImage('amd64').code).not.toBe(0);
    put(VERSION, 'linux-x64', 'a different program');
    expect(buildImage('amd64').code).not.toBe(0);
    expect(existsSync(join(place, 'out/opt/tollgate/bin'))).toBe(false);
    expect(buildImage('riscv64').code).not.toBe(0);
  },
);
