/** Makes a text of a seed, as long as asked for or a little longer. */
export type TextMaker = (length: number, random: () => number) => string;

const pick = <T>(list: ArrayLike<T>, random: () => number): T => list[Math.floor(random() * list.length)]!;
const drawInteger = (below: number, random: () => number): number => Math.floor(random() * below);

function fill(length: number, next: () => string): string {
  let text = '';
  while (text.length < length) text += next();
  return text;
}

const words =
  (vocabulary: string, { between = ' ', every = 12, end = '. ' } = {}): TextMaker =>
  (length, random) => {
    const list = vocabulary.split(' ');
    return fill(length, () => pick(list, random) + (random() < 1 / every ? end : between));
  };

const signs =
  (alphabet: string): TextMaker =>
  (length, random) => {
    const list = [...alphabet];
    return fill(length, () => pick(list, random));
  };

const lines =
  (line: (random: () => number) => string): TextMaker =>
  (length, random) =>
    fill(length, () => `${line(random)}\n`);

const repeated =
  (piece: string): TextMaker =>
  (length) =>
    piece.repeat(Math.ceil(length / piece.length));

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';

const name = (random: () => number): string =>
  pick(['total', 'index', 'customerName', 'order_items', 'fetchAll', 'i', 'value', 'MAX_SIZE'], random);

const code = lines((random) => {
  const indent = '  '.repeat(drawInteger(4, random));
  const first = name(random);
  return pick(
    [
      `${indent}const ${first} = ${name(random)}.map((${name(random)}) => ${name(random)} + ${drawInteger(99, random)});`,
      `${indent}if (${first} !== undefined && !${name(random)}.length) {`,
      `${indent}}`,
      `${indent}// The ${first} is looked up by its ${name(random)}, which may be missing.`,
      `${indent}return this.${first}("${name(random)}", { ${name(random)}: true });`,
    ],
    random,
  );
});

const json: TextMaker = (length, random) =>
  JSON.stringify(
    Array.from({ length: Math.ceil(length / 90) }, () => ({
      id: drawInteger(1e6, random),
      [name(random)]: pick(['open', 'paid', 'returned'], random),
      price: drawInteger(1e5, random) / 100,
      tags: [name(random), null, random() < 0.5],
    })),
  );

const logLine = (random: () => number): string =>
  `2026-11-${10 + drawInteger(20, random)}T0${drawInteger(9, random)}:${10 + drawInteger(50, random)}:07.${100 + drawInteger(900, random)}Z \
${pick(['INFO', 'WARN', 'ERROR'], random)} [worker-${drawInteger(16, random)}] request ${drawInteger(1e9, random).toString(16)} took ${drawInteger(5e3, random)}ms`;

/** Texts of every known kind of prompt, and of some unlikely kinds. */
export const textKinds: Readonly<Record<string, TextMaker>> = {
  'English prose': words(
    'the committee met on Thursday to discuss changes of harbour most members were late and those who came had not read papers however it was agreed that nothing should be built',
  ),
  'German prose': words(
    'im Winter friert der Hafen zu und den Fischern bleibt nichts als auf Frühling warten Gemeindeverwaltung Überschwemmungen ließen größere Schäden zurück',
  ),
  'French prose': words(
    "l'été dernier nous avons traversé la forêt où les élèves étudiaient déjà des chênes centenaires malgré cette chaleur étouffante",
  ),
  'Russian prose': words(
    'зимой гавань замерзает и рыбакам остаётся ждать весны правительство города обещало помочь',
  ),
  'Greek prose': words('τον χειμώνα το λιμάνι παγώνει και οι ψαράδες περιμένουν την άνοιξη όπως κάθε χρόνο'),
  'Hindi prose': words('सर्दियों में बंदरगाह जम जाता है और मछुआरों को वसंत का इंतज़ार करना पड़ता है', { end: '। ' }),
  'Arabic prose': words('في الشتاء يتجمد الميناء ولا يبقى للصيادين إلا انتظار الربيع كما في كل عام'),
  'Hebrew prose': words('בחורף הנמל קופא ולדייגים לא נותר אלא לחכות לאביב כמו בכל שנה'),
  'Thai prose': words('ในฤดูหนาว ท่าเรือ กลายเป็น น้ำแข็ง และ ชาวประมง ต้องรอ ฤดูใบไม้ผลิ', { between: '', end: ' ' }),
  'Chinese prose': words('这座 城市 的 港口 在 冬天 结冰 渔民们 只好 等到 春天 政府 答应 帮助', {
    between: '',
    end: '。',
  }),
  'Japanese prose': words('港は 冬に なると 凍り 漁師たちは 春を 待つしか ない 市役所は 助けると 約束した', {
    between: '',
    end: '。',
  }),
  'Korean prose': words('항구는 겨울이 되면 얼어붙고 어부들은 봄을 기다린다 시청은 도와주겠다고 약속했다'),
  code,
  'minified code': (length, random) => code(length * 1.3, random).replace(/\s+/g, ''),
  JSON: json,
  'indented JSON': (length, random) => JSON.stringify(JSON.parse(json(length, random)), null, 4),
  'JSON in a string': (length, random) => JSON.stringify(json(length, random)),
  'a table': lines(
    (random) =>
      `| ${name(random)} | ${drawInteger(1e6, random)} | ${drawInteger(1e4, random) / 100} % | ${name(random)} |`,
  ),
  CSV: lines(
    (random) => `${drawInteger(1e4, random)},${name(random)},"${name(random)}",${random().toFixed(4)},`,
  ),
  HTML: lines(
    (random) =>
      `<li class="${name(random)}"><a href="/${name(random)}?id=${drawInteger(1e4, random)}">${name(random)}</a></li>`,
  ),
  'a log': lines(logLine),
  'a stack trace': lines(
    (random) =>
      `    at ${name(random)}.<anonymous> (/srv/app/node_modules/${name(random)}/dist/index.js:${drawInteger(900, random)}:${drawInteger(80, random)})`,
  ),
  base64: signs(`${UPPER}${LOWER}${DIGITS}+/`),
  hexadecimal: signs('0123456789abcdef'),
  digits: signs(DIGITS),
  'random letters': signs(LOWER),
  'random letters and signs': signs(`${LOWER}${UPPER}${DIGITS} .,;:-_#'+*~"!$%&/()=?{[]}`),
  'a run of newlines': repeated('\n'),
  'a run of spaces': repeated(' '),
  'a run of tabs': repeated('\t'),
  'a run of dashes': repeated('-'),
  'a run of zeros': repeated('0'),
  'a run of one letter': repeated('a'),
  'lone letters': repeated('b Q '),
  'blank lines': repeated('\r\n  \r\n'),
  'a period of dashes and letters': repeated(`${'-'.repeat(300)}${'xq7Z'.repeat(53)}`),
  emoji: signs('😀😂🥰👍🎉🚀✨🔥🙏💡'),
  'joined emoji': signs('👩‍💻 👨‍👩‍👧 🏳️‍🌈 👍🏽 '),
  'accents upon accents': signs('a\u0301\u0323\u0308e\u0302'),
  'control characters': signs('\u0000\u0001\u001b\u007f\u0085\u00a0\u200b'),
  'backslashes and quotes': signs('\\"\'`'),
};
