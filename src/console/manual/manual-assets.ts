import { readFileSync } from 'node:fs';

/** The places of the style, the script and the search index. */
export const STYLE = 'manual.css';
export const SCRIPT = 'manual.js';
export const INDEX = 'search-index.js';

const asset = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** Returns the style. The reference and the documents have one look. */
export const styleText = (): string => asset('../docs/docs.css') + asset('./manual.css');
/** Returns the script, with the buttons that copy code. */
export const scriptText = (): string => asset('../docs/copy-buttons.js') + asset('./manual-search.js');
