import { expect, test } from 'bun:test';
import { commands } from '../../src/program/cli/commands.ts';
import { parseCommandLine } from '../../src/program/cli/parse-command-line.ts';
import { runCaptured } from '../../src/program/cli/testing/run-captured.ts';
import { splitScript } from '../support/documented-commands.ts';

const terminal = { print: () => {}, remark: () => {}, environment: {} };

for (const command of commands)
  test(`the help of ${command.name} ends with examples that the command accepts`, async () => {
    const { examples } = command;
    const { printed } = await runCaptured([...command.name.split(' '), '--help']);
    expect(printed).toEndWith(
      ['', 'Examples:', ...examples.map((example) => `  tollgate ${example}`)].join('\n'),
    );
    for (const example of examples) {
      expect(example).toStartWith(command.name);
      const args = splitScript(example)[0]!.slice(command.name.split(' ').length);
      expect(() => parseCommandLine(command, args, terminal)).not.toThrow();
    }
  });
