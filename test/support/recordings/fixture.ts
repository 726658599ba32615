import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Glob } from 'bun';
import { projectRoot } from '../../../src/base/lib/testing/project-root.ts';
import type { StopKind } from '../../../src/translation/canonical/event.ts';
import { type ChatWire, chatWires } from '../wire-models.ts';

/** Totals, with the shares of them that the vendor reports. */
export type UsageFacts = {
  input: number;
  output: number;
  cached?: number;
  written?: number;
  thinking?: number;
};

/** The expected content of an answer, written by hand. An absent field means absent content. */
export type AnswerFacts = {
  text?: string;
  refusal?: string;
  thinking?: string;
  calls?: { id?: string; name: string; input: string; freeform?: boolean }[];
  tokens?: string[];
  opaque?: string[];
  sources?: string[];
  usage?: UsageFacts;
  stop: StopKind;
};

/**
 * The failure of an upstream. `status` is that of a refused request. The text `never` must not be passed on.
 */
export type FailureFacts = { code: string; status?: number; text?: string; never?: string };

/** One file: its comment, its facts, the data of each frame, and the same answer as a whole body. */
export type Fixture<Facts> = {
  name: string;
  wire: ChatWire;
  about: string;
  facts: Facts;
  frames: string[];
  whole: string | undefined;
};

const root = join(projectRoot, 'test', 'fixtures');
const FIELD = /^(facts|data|whole)?: (.*)$/;

function parseFixture<Facts>(wire: ChatWire, path: string): Fixture<Facts> {
  const fields = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const field = FIELD.exec(line);
      if (field === null) throw new Error(`${path}: not a field: ${line}`);
      return { name: field[1] ?? 'about', value: field[2]! };
    });
  const values = (wanted: string) => fields.filter(({ name }) => name === wanted).map(({ value }) => value);
  const [facts] = values('facts');
  if (facts === undefined) throw new Error(`${path}: no facts`);
  return {
    name: `${wire}/${basename(path, '.sse')}`,
    wire,
    about: values('about').join(' '),
    facts: JSON.parse(facts),
    frames: values('data'),
    whole: values('whole')[0],
  };
}

const readFolder = <Facts>(folder: string): Fixture<Facts>[] =>
  chatWires.flatMap((wire) =>
    [...new Glob('*.sse').scanSync(join(root, folder, wire))]
      .sort()
      .map((file) => parseFixture<Facts>(wire, join(root, folder, wire, file))),
  );

export const answerFixtures: readonly Fixture<AnswerFacts>[] = readFolder('answers');
export const failureFixtures: readonly Fixture<FailureFacts>[] = readFolder('failures');
