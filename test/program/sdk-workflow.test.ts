import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import packageFile from '../../package.json' with { type: 'json' };

type Step = { name?: string; run?: string; if?: string };
type Workflow = {
  on: { schedule: { cron: string }[] };
  permissions: Record<string, string>;
  jobs: { newest: { steps: Step[] } };
};

const root = join(import.meta.dir, '..', '..');
const { on, permissions, jobs } = parse(
  readFileSync(join(root, '.github/workflows/sdks.yaml'), 'utf8'),
) as Workflow;
const stepNamed = (part: string): Step => jobs.newest.steps.find(({ name }) => name?.includes(part))!;
const SDKS = /^(openai|ai|@anthropic-ai\/.*|@ai-sdk\/.*|@google\/genai)$/;

test('a weekly workflow installs the newest version of each SDK that the tests use', () => {
  expect(on.schedule.map(({ cron }) => cron.split(' ').length)).toEqual([5]);
  expect(on.schedule[0]!.cron).toMatch(/ [0-6]$/);
  const installed = [...stepNamed('Install').run!.matchAll(/(\S+)@latest/g)].map(([, name]) => name!);
  const tested = Object.keys(packageFile.devDependencies).filter((name) => SDKS.test(name));
  expect(installed.sort()).toEqual(tested.sort());
});

test('it runs tests that exist', async () => {
  const [, texts = ''] = /npm test -- (.*)$/m.exec(stepNamed('Compare').run!)!;
  const files = await Array.fromAsync(new Bun.Glob('{src,test}/**/*.test.ts').scan(root));
  for (const text of texts.split(' '))
    expect({ text, anyFits: files.some((file) => file.includes(text)) }).toEqual({ text, anyFits: true });
});

test('a difference opens an issue, or is added to the open one', () => {
  const { if: condition, run } = stepNamed('Open an issue');
  expect({ condition, issues: permissions.issues }).toEqual({ condition: 'failure()', issues: 'write' });
  expect(run).toContain('gh issue create');
  expect(run).toContain('gh issue comment');
});

test('the report has only the output of checks that fail', async () => {
  const script = stepNamed('Compare').run!;
  const begin = script.indexOf('failed=0');
  const checks = 'report One true\nreport Two sh -c "echo wrong; exit 1"\ncat report.md\nexit "$failed"';
  const helper = script.slice(begin, script.indexOf('git diff'));
  const folder = `${process.env.TMPDIR ?? '/tmp'}/tollgate-report-${crypto.randomUUID()}`;
  const shell = Bun.spawn(['bash', '-c', `mkdir ${folder} && cd ${folder}\n${helper}\n${checks}`], {
    stdout: 'pipe',
    stderr: 'inherit',
  });
  expect(await shell.stdout.text()).toBe('## Two\n```text\nwrong\n```\n');
  expect(await shell.exited).toBe(1);
  await Bun.$`rm -r ${folder}`;
});
