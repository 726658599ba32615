type TextGenerator = (random: () => number) => string;

const pick = <T>(list: ArrayLike<T>, random: () => number): T => list[Math.floor(random() * list.length)]!;
const integerBelow = (below: number, random: () => number): number => Math.floor(random() * below);
const randomString = (alphabet: string, length: number, random: () => number): string =>
  Array.from({ length }, () => pick(alphabet, random)).join('');

const shortWords =
  'a an the of to in it is was he she we you on at by as or and but not for all one two day man old new see';
const fiveLetterWords =
  'house river green table light stone water horse plant bread chair cloud earth fruit glass heart knife lemon money night ocean paper queen';
const longWords =
  'international responsibility communication environmental understanding representative characteristics administration infrastructure recommendation';
const allWords = `${shortWords} ${fiveLetterWords} ${longWords} server request value window garden market simple number before between`;
const DIGITS = '0123456789';
const HEX = '0123456789abcdef';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const ALL = `${LOWER}${LOWER.toUpperCase()}${DIGITS}`;

const words = (list: string, separator = ' '): TextGenerator => {
  const choices = list.split(' ');
  return (random) => pick(choices, random) + separator;
};
const word = words(allWords, '');
const capital = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

/** Generators of pieces of text, by the kind of text. */
export const generatedTexts: Readonly<Record<string, TextGenerator>> = {
  'short words': words(shortWords),
  'five-letter words': words(fiveLetterWords),
  'long words': words(longWords),
  'words on lines': words(allWords, '\n'),
  'words in capitals': (random) => `${word(random).toUpperCase()} `,
  'camel case': (random) => `${word(random)}${capital(word(random))}${capital(word(random))}(); `,
  'snake case': (random) => `${word(random)}_${word(random)} = ${word(random)}\n`,
  JSON: (random) =>
    `{"id":${integerBelow(1e6, random)},"${word(random)}":"${word(random)} ${word(random)}","open":${random() < 0.5},"tags":[null]},`,
  'indented JSON': (random) =>
    `    {\n        "id": ${integerBelow(1e6, random)},\n        "${word(random)}": "${word(random)}",\n        "price": ${integerBelow(1e4, random) / 100}\n    },\n`,
  'minified code': (random) =>
    `function ${pick(LOWER, random)}(${pick(LOWER, random)},${pick(LOWER, random)}){return ${pick(LOWER, random)}.${word(random)}?${pick(LOWER, random)}.${word(random)}(${integerBelow(99, random)}):null}`,
  base64: (random) => randomString(`${ALL}+/`, 76, random),
  'base64 in lines': (random) => `${randomString(`${ALL}+/`, 64, random)}\n`,
  hexadecimal: (random) => randomString(HEX, 64, random),
  'bytes in hexadecimal': (random) => `${randomString(HEX, 2, random)} `,
  UUIDs: (random) => `${[8, 4, 4, 4, 12].map((length) => randomString(HEX, length, random)).join('-')}\n`,
  digits: (random) => randomString(DIGITS, 50, random),
  numbers: (random) => `${(random() * 1e5).toFixed(integerBelow(4, random))}, `,
  dates: (random) =>
    `2026-${10 + integerBelow(3, random)}-${10 + integerBelow(19, random)}T${10 + integerBelow(14, random)}:${10 + integerBelow(50, random)}:00Z\n`,
  URLs: (random) =>
    `https://www.${word(random)}.com/${word(random)}/${word(random)}-${word(random)}?id=${integerBelow(1e5, random)}&ref=${word(random)}\n`,
  'a Markdown table': (random) =>
    `| ${word(random)} | ${word(random)} ${word(random)} | ${integerBelow(1e4, random)} | \`${word(random)}\` |\n`,
  'a Markdown list': (random) =>
    `- **${capital(word(random))}**: ${word(random)} ${word(random)} [${word(random)}](${word(random)}.md)\n`,
  CSV: (random) =>
    `${integerBelow(1e4, random)},${word(random)},"${word(random)} ${word(random)}",${random().toFixed(3)}\n`,
  'a log': (random) =>
    `2026-11-21T08:${10 + integerBelow(50, random)}:07.${100 + integerBelow(900, random)}Z ERROR [${word(random)}] ${word(random)} failed after ${integerBelow(5e3, random)} ms\n`,
  whitespace: (random) =>
    `${'\n'.repeat(1 + integerBelow(3, random))}${' '.repeat(integerBelow(17, random))}`,
  'spaces between columns': (random) =>
    `${word(random).padEnd(24)}${String(integerBelow(1e4, random)).padStart(10)}\n`,
  emoji: (random) =>
    pick(['😀', '😂', '👍', '🎉', '🚀', '🔥', '🙏', '💡', '🌍', '🍕', '🐶', '⚽', '🎵'], random),
  'emoji in text': (random) => `${word(random)} ${word(random)} ${pick(['😀', '👍', '🎉', '🚀'], random)} `,
  'random letters': (random) => `${randomString(LOWER, 8, random)} `,
  keys: (random) => `sk-${randomString(ALL, 40, random)}\n`,
  'JSON in a string': (random) =>
    `\\n  {\\n    \\"${word(random)}\\": \\"${word(random)} ${word(random)}\\",\\n    \\"id\\": ${integerBelow(1e4, random)}\\n  },`,
  XML: (random) => {
    const name = pick(['item', 'entry'], random);
    return `<${name} key="${word(random)}">${word(random)} ${word(random)}</${name}>\n`;
  },
};
