import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';

/** A documented command, with its place for the report. */
export type DocumentedCommand = { place: string; words: readonly string[] };

/**
 * A fenced block of shell commands. `isRunnable`: its info string is `sh run`. `isOfClient`: it is
 * `sh install` or `sh check`, and `npm run clients` runs it with programs that a clone does not have.
 */
export type DocumentedScript = { place: string; text: string; isRunnable: boolean; isOfClient: boolean };

export type Document = { path: string; text: string };

const FENCE = /^( *)```([^\n`]*)\n([\s\S]*?)^ *```/gm;
const SHELLS = new Set(['sh', 'bash', 'shell', 'console']);
/** A code span is a command if it begins with one of these and has arguments. */
const SPAN = /^(?:[A-Z_]+=\S* )*(?:npm|npx|node|bun|bunx|yarn|pnpm|sqlite3|tollgate|bin\/tollgate) \S/;

const PAGES = ['*.md', ...['docs', 'bench', 'test', '.github'].map((folder) => `${folder}/**/*.md`)];

export function readDocuments(root: string): Document[] {
  return PAGES.flatMap((pattern) => [...new Glob(pattern).scanSync({ cwd: root, dot: true })])
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** In a `console` block the lines that begin with `$` are commands and the others are output. */
function commandLines(shell: string, body: string): string {
  if (shell !== 'console') return body;
  return body
    .split('\n')
    .flatMap((line) => /^ *\$ (.*)/.exec(line)?.[1] ?? [])
    .join('\n');
}

export function scriptsOf({ path, text }: Document): DocumentedScript[] {
  return [...text.matchAll(FENCE)].flatMap(({ index, 1: indent = '', 2: info = '', 3: body = '' }) => {
    const [shell = '', ...marks] = info.trim().split(/\s+/);
    if (!SHELLS.has(shell)) return [];
    const lines = commandLines(shell, body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
    const isOfClient = marks.includes('install') || marks.includes('check');
    const isRunnable = marks.includes('run');
    return { place: `${path}:${lineOf(text, index)}`, text: lines, isRunnable, isOfClient };
  });
}

/** The commands of shell blocks, and those in running text. */
export function commandsOf(document: Document): DocumentedCommand[] {
  const fenced = scriptsOf(document).flatMap(({ place, text, isOfClient }) =>
    isOfClient ? [] : splitScript(text).map((words) => ({ place, words })),
  );
  const prose = document.text.replaceAll(FENCE, (block) => block.replaceAll(/[^\n]/g, ' '));
  const spans = [...prose.matchAll(/`([^`]+)`/g)].flatMap(({ index, 1: span = '' }) => {
    const line = span.replaceAll(/\s+/g, ' ');
    const place = `${document.path}:${lineOf(prose, index)}`;
    return SPAN.test(line) ? splitScript(line).map((words) => ({ place, words })) : [];
  });
  return [...fenced, ...spans];
}

/**
 * Splits a script into the words of each simple command, without comments, redirections and assignments
 * before it.
 */
export function splitScript(script: string): string[][] {
  const tokens =
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|(\\\n)|(#[^\n]*)|(&&|\|\||[|;&\n])|((?:[^\s'"|;&\\]|\\.)+)|\s+/g;
  const commands: string[][] = [[]];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) commands.at(-1)!.push(word);
    word = undefined;
  };
  for (const [, single, double, joined, comment, separator, plain] of script.matchAll(tokens)) {
    if (comment !== undefined && word !== undefined) word += comment;
    else if (separator !== undefined) {
      endWord();
      commands.push([]);
    } else if (single !== undefined || double !== undefined || plain !== undefined)
      word = (word ?? '') + (single ?? double ?? plain);
    else if (joined === undefined) endWord();
  }
  endWord();
  return commands.map(withoutAssignments).filter(({ length }) => length > 0);
}

function withoutAssignments(words: readonly string[]): string[] {
  const start = words.findIndex((word) => !/^[A-Za-z_]+=/.test(word));
  return start < 0 ? [] : words.slice(start).filter((word) => !/^\d?[<>]/.test(word));
}
