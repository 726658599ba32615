import { readDocuments } from '../documented-commands.ts';

/**
 * A fenced block of a document. `mark` is the word after the language: the way in which the block is
 * checked, or the path of a file.
 */
export type Sample = { place: string; path: string; language: string; mark: string; body: string };

const FENCE = /^( *)```([^\n`]*)\n([\s\S]*?)^ *```/gm;

/** Reads the fenced blocks of all documents. No reader copies the blocks of test data. */
export const readSamples = (root: string): Sample[] =>
  readDocuments(root)
    .filter(({ path }) => !path.startsWith('.github/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(FENCE)].map(({ index, 1: indent = '', 2: info = '', 3: body = '' }) => {
        const [language = '', mark = ''] = info.trim().split(/\s+/);
        const line = text.slice(0, index).split('\n').length;
        const code = body.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
        return { place: `${path}:${line}`, path, language, mark, body: code };
      }),
    );
