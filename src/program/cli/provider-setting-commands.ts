import { definedOf } from '../../base/lib/records.ts';
import { callAdmin } from './call-admin.ts';
import { coloured } from './colour.ts';
import type { Run } from './command.ts';
import { confirm } from './confirm.ts';
import type { Invocation } from './invocation.ts';
import { printFields, printJson } from './print-answer.ts';
import { readSecretInput } from './read-secret-input.ts';

/** A test waits for two answers of the provider. */
const TEST_MS = 60_000;

async function fieldsOf(invocation: Invocation) {
  const keyFile = invocation.text('key-file');
  return definedOf({
    wire: invocation.text('wire'),
    base_url: invocation.text('base-url'),
    api_key: keyFile && (await readSecretInput(keyFile)),
    max_concurrent: invocation.number('max-concurrent'),
  });
}

const idOf = (invocation: Invocation) => invocation.required('PROVIDER');

/** Stores a provider. With `--model`, the model is called first, and nothing is stored if that fails. */
export const addProvider: Run = async (invocation) => {
  const body = { id: idOf(invocation), ...(await fieldsOf(invocation)) };
  const model = invocation.text('model');
  if (model !== undefined) {
    const call = { body: { ...body, model }, timeoutMs: TEST_MS };
    const tested = await callAdmin(invocation, 'POST /providers/test', call);
    if (!tested.ok) return reportTest(invocation, tested);
  }
  printFields(invocation, await callAdmin(invocation, 'POST /providers', { body }));
  return 0;
};

export const setProvider: Run = async (invocation) => {
  const call = { params: { id: idOf(invocation) }, body: await fieldsOf(invocation) };
  printFields(invocation, await callAdmin(invocation, 'PATCH /providers/{id}', call));
  return 0;
};

export const removeProvider: Run = async (invocation) => {
  const id = idOf(invocation);
  await confirm(invocation, `Remove the provider ${id} and its credential?`);
  const { warnings, ...removed } = await callAdmin(invocation, 'DELETE /providers/{id}', { params: { id } });
  if (invocation.flag('json')) printJson(invocation, { ...removed, warnings });
  else invocation.terminal.print(`Removed ${id}`);
  for (const warning of warnings) invocation.terminal.remark(warning);
  return 0;
};

export const testProvider: Run = async (invocation) => {
  const model = invocation.text('model');
  const call = { params: { id: idOf(invocation) }, body: { ...(model && { model }) }, timeoutMs: TEST_MS };
  return reportTest(invocation, await callAdmin(invocation, 'POST /providers/{id}/test', call));
};

type Tested = Awaited<ReturnType<typeof callAdmin<'POST /providers/{id}/test'>>>;

function reportTest(invocation: Invocation, tested: Tested): number {
  const { terminal } = invocation;
  if (invocation.flag('json')) printJson(invocation, tested);
  else if (tested.error) {
    const { cause, message, remedy } = tested.error;
    terminal.print(`${coloured(terminal, 'red', 'fail')} ${cause}: ${message}`);
    terminal.print(remedy);
  } else {
    terminal.print(
      `${coloured(terminal, 'green', 'ok')} ${tested.model ?? 'the list of models'}, ${tested.duration_ms} ms`,
    );
    if (tested.text) terminal.print(tested.text);
  }
  return tested.ok ? 0 : 1;
}
