type Make = (random: () => number) => string;

const pick = <T>(list: ArrayLike<T>, random: () => number): T => list[Math.floor(random() * list.length)]!;
const whole = (below: number, random: () => number): number => Math.floor(random() * below);
const some = (alphabet: string, length: number, random: () => number): string =>
  Array.from({ length }, () => pick(alphabet, random)).join('');

const short =
  'a an the of to in it is was he she we you on at by as or and but not for all one two day man old new see';
const five =
  'house river green table light stone water horse plant bread chair cloud earth fruit glass heart knife lemon money night ocean paper queen';
const long =
  'international responsibility communication environmental understanding representative characteristics administration infrastructure recommendation';
const any = `${short} ${five} ${long} server request value window garden market simple number before between`;
const DIGITS = '0123456789';
const HEX = '0123456789abcdef';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const ALL = `${LOWER}${LOWER.toUpperCase()}${DIGITS}`;

const words = (list: string, separator = ' '): Make => {
  const each = list.split(' ');
  return (random) => pick(each, random) + separator;
};
const word = words(any, '');
const capital = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

/** Pieces of generated texts, by the kind of text. */
export const madeTexts: Readonly<Record<string, Make>> = {
  'short words': words(short),
  'five-letter words': words(five),
  'long words': words(long),
  'words on lines': words(any, '\n'),
  'words in capitals': (random) => `${word(random).toUpperCase()} `,
  'camel case': (random) => `${word(random)}${capital(word(random))}${capital(word(random))}(); `,
  'snake case': (random) => `${word(random)}_${word(random)} = ${word(random)}\n`,
  JSON: (random) =>
    `{"id":${whole(1e6, random)},"${word(random)}":"${word(random)} ${word(random)}","open":${random() < 0.5},"tags":[null]},`,
  'indented JSON': (random) =>
    `    {\n        "id": ${whole(1e6, random)},\n        "${word(random)}": "${word(random)}",\n        "price": ${whole(1e4, random) / 100}\n    },\n`,
  'minified code': (random) =>
    `function ${pick(LOWER, random)}(${pick(LOWER, random)},${pick(LOWER, random)}){return ${pick(LOWER, random)}.${word(random)}?${pick(LOWER, random)}.${word(random)}(${whole(99, random)}):null}`,
  base64: (random) => some(`${ALL}+/`, 76, random),
  'base64 in lines': (random) => `${some(`${ALL}+/`, 64, random)}\n`,
  hexadecimal: (random) => some(HEX, 64, random),
  'bytes in hexadecimal': (random) => `${some(HEX, 2, random)} `,
  UUIDs: (random) => `${[8, 4, 4, 4, 12].map((length) => some(HEX, length, random)).join('-')}\n`,
  digits: (random) => some(DIGITS, 50, random),
  numbers: (random) => `${(random() * 1e5).toFixed(whole(4, random))}, `,
  dates: (random) =>
    `2026-${10 + whole(3, random)}-${10 + whole(19, random)}T${10 + whole(14, random)}:${10 + whole(50, random)}:00Z\n`,
  URLs: (random) =>
    `https://www.${word(random)}.com/${word(random)}/${word(random)}-${word(random)}?id=${whole(1e5, random)}&ref=${word(random)}\n`,
  'a Markdown table': (random) =>
    `| ${word(random)} | ${word(random)} ${word(random)} | ${whole(1e4, random)} | \`${word(random)}\` |\n`,
  'a Markdown list': (random) =>
    `- **${capital(word(random))}**: ${word(random)} ${word(random)} [${word(random)}](${word(random)}.md)\n`,
  CSV: (random) =>
    `${whole(1e4, random)},${word(random)},"${word(random)} ${word(random)}",${random().toFixed(3)}\n`,
  'a log': (random) =>
    `2026-11-21T08:${10 + whole(50, random)}:07.${100 + whole(900, random)}Z ERROR [${word(random)}] ${word(random)} failed after ${whole(5e3, random)} ms\n`,
  whitespace: (random) => `${'\n'.repeat(1 + whole(3, random))}${' '.repeat(whole(17, random))}`,
  'spaces between columns': (random) =>
    `${word(random).padEnd(24)}${String(whole(1e4, random)).padStart(10)}\n`,
  emoji: (random) =>
    pick(['😀', '😂', '👍', '🎉', '🚀', '🔥', '🙏', '💡', '🌍', '🍕', '🐶', '⚽', '🎵'], random),
  'emoji in text': (random) => `${word(random)} ${word(random)} ${pick(['😀', '👍', '🎉', '🚀'], random)} `,
  'random letters': (random) => `${some(LOWER, 8, random)} `,
  keys: (random) => `sk-${some(ALL, 40, random)}\n`,
  'JSON in a string': (random) =>
    `\\n  {\\n    \\"${word(random)}\\": \\"${word(random)} ${word(random)}\\",\\n    \\"id\\": ${whole(1e4, random)}\\n  },`,
  XML: (random) =>
    `<${pick(['item', 'entry'], random)} key="${word(random)}">${word(random)} ${word(random)}</item>\n`,
};
