// Finds the test files, and divides them into jobs.
// Short files share a process, and every other file has its own.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The measured times of the test files in milliseconds. The longest ones start first. */
const TIMINGS = join('test', 'timings.json');
const POSTGRES_FILES = join('test', 'postgres-files.json');
/** The files that the ordinary run leaves to `--full`, each with the reason. */
const FULL_FILES = join('test', 'full-files.json');
/**
 * Files with shorter times share a process, since each process loads the modules that they have in common.
 * Files of servers are those of one folder.
 */
const OF_UNITS = { start: /^(src|bench|dashboard)\//, shortMs: 1_500, limit: 20 };
const OF_SERVERS = { start: /^test\/(?!dashboard\/)[^/]+\//, shortMs: 3_500, limit: 8 };
/** The tests of the dashboard share a few processes, each with one browser and the modules of the server. */
const OF_BROWSERS = 'test/dashboard/';
const BROWSERS = 3;
/**
 * Guesses for files without a measured time.
 * A new unit test shares a process, and a new test of a server starts early.
 */
const UNKNOWN_UNIT_MS = 500;
const UNKNOWN_MS = 8_000;

/** Finds the files whose path contains one of the texts. Without a text: all files of the run. */
export function findTestFiles(root, texts, { isFull }) {
  const files = listTestFiles(root);
  const plain = texts.map((text) => text.replace(/^\.\//, ''));
  if (plain.length > 0) return files.filter((file) => plain.some((text) => file.includes(text)));
  const leftOut = isFull ? {} : readLeftOut(root);
  return files.filter((file) => !Object.hasOwn(leftOut, file));
}

function readLeftOut(root) {
  const list = join(root, FULL_FILES);
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {};
}

function listTestFiles(root) {
  const folders = [''];
  const files = [];
  for (const folder of folders) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
        folders.push(path);
      if (entry.isFile() && entry.name.endsWith('.test.ts')) files.push(path);
    }
  }
  return files.sort();
}

/** Returns the test files of servers that also run on Postgres: all that concern the store, or a sample. */
export function findPostgresFiles(root, files, { all }) {
  const list = join(root, POSTGRES_FILES);
  if (!existsSync(list)) return [];
  const { concerns, except, sample } = JSON.parse(readFileSync(list, 'utf8'));
  const isOn = (starts) => (file) => starts.some((start) => file.startsWith(start));
  const [isConcerned, isExcepted] = [concerns, except].map((reasons) => isOn(Object.keys(reasons)));
  return files.filter(all ? (file) => isConcerned(file) && !isExcepted(file) : isOn(sample));
}

/** Returns a function that knows how long each file took. */
export function readTimings(root) {
  const file = join(root, TIMINGS);
  const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).files : {};
  return (path) => known[path] ?? (OF_UNITS.start.test(path) ? UNKNOWN_UNIT_MS : UNKNOWN_MS);
}

/** Writes the times of these results. Files that did not run keep theirs. */
export function writeTimings(root, results) {
  const known = JSON.parse(readFileSync(join(root, TIMINGS), 'utf8')).files;
  const kept = Object.entries(known).filter(([file]) => existsSync(join(root, file)));
  const measured = results.map(({ files: [file], ms }) => [file, ms]);
  const times = Object.entries(Object.fromEntries([...kept, ...measured])).sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const text = JSON.stringify({ version: 1, files: Object.fromEntries(times) }, null, 2);
  writeFileSync(join(root, TIMINGS), `${text}\n`);
}

/** A job is the files of one process. */
export function groupFiles(files, { timeOf, store = 'embedded' }) {
  const isShort = (file) =>
    [OF_UNITS, OF_SERVERS].some(({ start, shortMs }) => start.test(file) && timeOf(file) < shortMs);
  const isOfBrowser = (file) => file.startsWith(OF_BROWSERS);
  const alone = files.filter((file) => !isShort(file) && !isOfBrowser(file)).map((file) => [file]);
  const short = files.filter(isShort);
  const folderOf = (file) => OF_SERVERS.start.exec(file)?.[0] ?? '';
  const shared = [...new Set(short.map(folderOf))].flatMap((folder) =>
    share(
      short.filter((file) => folderOf(file) === folder),
      folder === '' ? OF_UNITS : OF_SERVERS,
    ),
  );
  const jobOf = (files) => ({ files, store, ms: files.reduce((sum, file) => sum + timeOf(file), 0) });
  const ofBrowsers = spread(files.filter(isOfBrowser), { groups: BROWSERS, timeOf });
  return [...alone, ...shared, ...ofBrowsers].map(jobOf);
}

/** Divides files into groups of a bounded number. */
const share = (files, { limit }) =>
  Array.from({ length: Math.ceil(files.length / limit) }, (_, index) =>
    files.slice(index * limit, (index + 1) * limit),
  );

/** Divides files into groups that take about the same time. */
function spread(files, { groups, timeOf }) {
  const spread = Array.from({ length: Math.min(groups, files.length) }, () => ({ files: [], ms: 0 }));
  const timed = files.map((file) => ({ file, ms: timeOf(file) }));
  for (const { file, ms } of timed.sort((a, b) => b.ms - a.ms)) {
    const shortest = spread.reduce((least, group) => (group.ms < least.ms ? group : least));
    shortest.files.push(file);
    shortest.ms += ms;
  }
  return spread.map((group) => group.files);
}

/** Makes each file of a job a job of its own. */
export const separate = ({ files, ...job }) => files.map((file) => ({ ...job, files: [file] }));
