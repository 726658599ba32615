import { readFileSync } from 'node:fs';

const FENCE = /^```(\S*)(?: ([^\n]*))?\n([\s\S]*?)^```/gm;

/** Returns the section below a heading of the second level, or the whole page. */
function sectionOf(text, heading) {
  if (heading === undefined) return text;
  const found = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (found === undefined) throw new Error(`there is no section ${heading}`);
  return found;
}

/** Returns the fenced blocks of a text: their language, the mark after it, and their content. */
export const blocksOf = (text) =>
  [...text.matchAll(FENCE)].map(([, language, mark = '', body]) => ({ language, mark, body }));

/**
 * Reads the snippets of a client's page. A block with the mark `install` installs the client, one with
 * `check` calls the gateway, and a mark with a dot or a slash is the path of a file.
 */
export function readPage(path, heading) {
  const blocks = blocksOf(sectionOf(readFileSync(path, 'utf8'), heading));
  const scriptOf = (mark) => blocks.flatMap((block) => (block.mark === mark ? [block.body] : [])).join('');
  const isFile = ({ mark }) => /[./]/.test(mark);
  const files = blocks.filter(isFile).map(({ mark, body }) => ({ path: mark, body }));
  return { install: scriptOf('install'), check: scriptOf('check'), files };
}
