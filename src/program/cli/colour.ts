import type { Terminal } from './terminal.ts';

const codes = { bold: 1, red: 31, green: 32, yellow: 33 } as const;

export type Colour = keyof typeof codes;

/** Colours a text if the output is a terminal that shows colours. */
export const coloured = ({ hasColour }: Terminal, colour: Colour, text: string): string =>
  hasColour ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text;
