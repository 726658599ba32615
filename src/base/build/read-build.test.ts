import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBuild } from './read-build.ts';

const place = mkdtempSync(join(tmpdir(), 'tollgate-build-'));
const repository = join(place, 'repository');
afterAll(() => rmSync(place, { recursive: true, force: true }));

const DATE = '2026-02-28T23:30:00Z';

function git(...args: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(['git', '-C', repository, ...args], {
    env: {
      ...process.env,
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_AUTHOR_DATE: '2020-01-01T00:00:00Z',
      GIT_COMMITTER_NAME: 'C',
      GIT_COMMITTER_EMAIL: 'c@example.com',
      GIT_COMMITTER_DATE: DATE,
      GIT_CONFIG_GLOBAL: '/dev/null',
    },
  });
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.toString().trim();
}

describe.skipIf(Bun.which('git') === null)('in a checkout [ADM-52]', () => {
  let build = {};
  beforeAll(() => {
    mkdirSync(repository);
    git('init', '--quiet', '--initial-branch', 'main');
    writeFileSync(join(repository, 'build.json'), '{"commit":"older000"}');
    for (const message of ['One', 'Two']) git('commit', '--quiet', '--allow-empty', '--message', message);
    build = { commit: git('rev-parse', 'HEAD').slice(0, 8), date: '2026-02-28' };
  });

  test('the commit and its day come from a branch in place of a file that a package left', () => {
    expect(readBuild(repository)).toEqual(build);
  });

  test('a worktree has the commit of its own branch', () => {
    const worktree = join(place, 'worktree');
    git('worktree', 'add', '--quiet', '-b', 'other', worktree);
    git('commit', '--quiet', '--allow-empty', '--message', 'Three');
    expect(readBuild(worktree)).toEqual(build);
    expect(readBuild(repository)).not.toEqual(build);
    git('reset', '--quiet', '--hard', 'HEAD^');
  });

  test('packed branches and a checkout without a branch have a commit', () => {
    git('pack-refs', '--all');
    git('gc', '--quiet', '--prune=now');
    expect(readBuild(repository)).toEqual(build);
    mkdirSync(join(repository, '.git', 'refs', 'heads', 'main'));
    expect(readBuild(repository)).toEqual(build);
    git('checkout', '--quiet', '--detach');
    expect(readBuild(repository)).toEqual(build);
  });

  test('a commit without its object has no day', () => {
    rmSync(join(repository, '.git', 'objects'), { recursive: true });
    expect(readBuild(repository)).toEqual({ commit: (build as { commit: string }).commit });
  });
});

test('a package has the commit that its file names, if there is one [ADM-52]', () => {
  const folder = join(place, 'package');
  mkdirSync(folder);
  expect(readBuild(folder)).toEqual({});
  writeFileSync(join(folder, 'build.json'), '{"commit":"70ccaf59","date":"2026-11-21"}\n');
  expect(readBuild(folder)).toEqual({ commit: '70ccaf59', date: '2026-11-21' });
});
