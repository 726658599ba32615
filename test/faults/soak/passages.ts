/**
 * Sentences that the gateway's estimator counts within 6 % of the upstream's tokenizer, in any order. A
 * charge that is further off is therefore an error of the settlement, and not of the estimator;
 * `passages.test.ts` holds the sentences to it.
 */
export const passages = {
  english: [
    'Every morning the baker carries two trays of rolls across the square. ',
    'The teacher gave the class a difficult problem and left the room for an hour. ',
    'The island has one village, two beaches and a lighthouse without a keeper. ',
    'A small museum beside the station shows maps and letters from the last century. ',
    'The kitchen was warm and smelled of apples, cinnamon and fresh bread. ',
    'Above the forest it becomes steep, and walkers should bring water and warm clothes. ',
    'The council wants to hear from people who live near the river before it decides. ',
    'Children can set their own names in lead type and print them on heavy paper. ',
    'In the summer visitors stood at the rail with their cameras and asked about the boats. ',
    'The court decided that the contract remains valid until the end of the year. ',
  ],
  chinese: [
    '老人推开木门，把昨天的茶叶收进竹篮里。',
    '以前镇上有三家茶馆，现在只有他的一家。',
    '年轻人都去了大城市，过年的时候才回来。',
    '只要一直跟着水走，总有一天会看见大海。',
    '医生建议他每天早上走路半个小时。',
    '火车站旁边有一家很有名的面馆。',
    '公司今年的收入比去年增加了百分之十二。',
    '博物馆收藏了两千多件古代的瓷器。',
    '这本书介绍了中国南方的传统建筑。',
    '工程师正在检查发电厂的主要设备。',
  ],
  code: [
    "import { readFile, writeFile } from 'node:fs/promises';\n",
    "expect(result.items.map((item) => item.name)).toEqual(['first', 'second']);\n",
    'const total = orders.reduce((sum, order) => sum + order.amount, 0);\n',
    'const found = users.find((user) => user.id === id);\n',
    'return left.map((value, index) => value * right[index]);\n',
    "const path = [base, folder, name].join('/');\n",
    'const names = users.map((user) => user.name);\n',
    'public static int compare(Person left, Person right) { return left.age - right.age; }\n',
  ],
} as const satisfies Record<string, readonly string[]>;

export type Language = keyof typeof passages;
export const languages = Object.keys(passages) as Language[];

/** This many sentences of a language, drawn one by one. */
export const drawText = (language: Language, sentences: number, random: () => number): string =>
  Array.from(
    { length: sentences },
    () => passages[language][Math.floor(random() * passages[language].length)],
  )
    .join('')
    .trimEnd();
