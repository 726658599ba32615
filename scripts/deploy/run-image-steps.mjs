#!/usr/bin/env node
// Follows the Dockerfile without Docker: runs the steps of its first stage in a scratch directory, starts the
// result as the last stage says, and runs the health check.
// The programs of this machine stand in for the programs of the base images.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressOf, startProcess } from './spawned-process.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const scratch = mkdtempSync(join(tmpdir(), 'tollgate-image-'));
const places = { build: join(scratch, 'build'), out: join(scratch, 'out'), tmp: join(scratch, 'tmp') };
const data = join(scratch, 'data');

/** A pattern such as `.gi[t]` copies a folder only where there is one. */
const optional = /\[(.)\]/g;

/** Returns the instructions of each stage. */
function readStages() {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  const stages = [];
  for (const [, name, rest] of text.matchAll(/^([A-Z]+) +(.*)$/gm))
    if (name === 'FROM') stages.push([]);
    else stages.at(-1).push({ name, rest });
  return stages;
}

const inScratch = (text) => text.replaceAll(/(?<![\w.])\/(out|tmp)(?=[/ "]|$)/g, (_, name) => places[name]);

const isCopied = (from) =>
  from.replace(optional, '$1') === from ||
  statSync(join(root, from.replace(optional, '$1')), { throwIfNoEntry: false })?.isDirectory();
const isInContext = (source) => !source.endsWith('.test.ts') && !source.includes('.git/objects');

/**
 * Copies files and the contents of folders, as COPY does.
 * The context of the image has no tests and no objects of git.
 */
function copy(words) {
  const target = resolve(places.build, inScratch(words.at(-1)));
  for (const from of words
    .slice(0, -1)
    .filter(isCopied)
    .map((word) => word.replace(optional, '$1'))) {
    const isIntoFolder = words.at(-1).endsWith('/') && statSync(join(root, from)).isFile();
    const place = isIntoFolder ? join(target, basename(from)) : target;
    cpSync(join(root, from), place, { recursive: true, filter: isInContext });
  }
}

const steps = {
  ARG: () => {},
  WORKDIR: () => {},
  COPY: (rest) => copy(rest.split(/ +/)),
  RUN(rest) {
    const { status, stdout, stderr } = spawnSync('sh', ['-ec', inScratch(rest)], {
      cwd: places.build,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`RUN ${rest}: ${stdout}${stderr}`);
  },
};

/** The variables of the image, with the runtime at its place in the scratch directory. */
const environmentOf = (stage) =>
  Object.fromEntries(
    stage
      .filter(({ name }) => name === 'ENV')
      .flatMap(({ rest }) => [...rest.matchAll(/([A-Z_]+)=(\S+)/g)])
      .map(([, name, value]) => [name, value.startsWith('/usr/') ? join(places.out, value) : value]),
  );

async function startImage(stage) {
  const wordsOf = (name) => JSON.parse(stage.find((instruction) => instruction.name === name).rest);
  const program = join(places.out, 'opt/tollgate/bin', ...wordsOf('ENTRYPOINT'));
  const env = { ...environmentOf(stage), PATH: '/usr/bin:/bin', HOME: data, DATA_DIR: data };
  const server = startProcess(program, [...wordsOf('CMD'), '--port', '0'], { cwd: data, env });
  let health;
  try {
    await addressOf(server, data);
    const script = join(places.out, 'opt/tollgate/healthcheck.mjs');
    health = spawnSync(env.TOLLGATE_RUNTIME, [script], { env, encoding: 'utf8' });
  } finally {
    await server.stop();
  }
  if (health.status !== 0) throw new Error(`the health check failed: ${health.stderr}${server.output()}`);
  const code = await server.stop();
  if (code !== 0) throw new Error(`the server exited with ${code}: ${server.output()}`);
}

try {
  for (const place of [...Object.values(places), data]) mkdirSync(place);
  const [build, image] = readStages();
  for (const { name, rest } of build) steps[name](rest);
  await startImage(image);
} catch (error) {
  console.log(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
