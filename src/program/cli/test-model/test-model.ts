import { callAdmin } from '../call-admin.ts';
import { callServer, errorMessageOf } from '../call-server.ts';
import { coloured } from '../colour.ts';
import type { Run } from '../command.ts';
import { formatFields } from '../format-fields.ts';
import type { Invocation } from '../invocation.ts';
import { printJson } from '../print-answer.ts';
import { serverAccess } from '../server-access.ts';
import { readRecord } from './read-record.ts';
import { smallRequest, textIn } from './small-request.ts';
import { withPayingKey } from './with-paying-key.ts';

/** The time limit of the request. A model that reasons can think for minutes. */
const TIMEOUT_MS = 300_000;

/**
 * Sends one small request to a model through the gateway, and shows the model that answered, the time and the
 * cost.
 */
export const testModel: Run = async (invocation) => {
  const params = { id: invocation.required('ID') };
  const model = await callAdmin(invocation, 'GET /catalog/{id*}', { params });
  const outcome = await withPayingKey(invocation, async (key) => {
    const reply = await send(invocation, model, key);
    return { ...reply, ...(await readRecord(invocation, reply)) };
  });
  const isFine = outcome.status === 200;
  if (invocation.flag('json')) printJson(invocation, { ok: isFine, model: model.id, ...outcome });
  else {
    const { terminal } = invocation;
    terminal.print(isFine ? coloured(terminal, 'green', 'ok') : coloured(terminal, 'red', 'FAILED'));
    terminal.print(formatFields({ model: model.id, ...outcome }));
  }
  return isFine ? 0 : 1;
};

async function send(invocation: Invocation, { id, kind }: Parameters<typeof smallRequest>[0], key: string) {
  const { path, body } = smallRequest({ id, kind });
  const startedAt = performance.now();
  const { address } = serverAccess(invocation);
  const { status, headers, answer } = await callServer(
    { address, token: key },
    { method: 'POST', path, body, timeoutMs: TIMEOUT_MS },
  );
  return {
    status,
    ms: Math.round(performance.now() - startedAt),
    answer: textIn(answer),
    error: status === 200 ? null : (errorMessageOf(answer) ?? null),
    simulated: headerOf(headers, 'simulated') === 'true',
    request_id: headerOf(headers, 'request-id'),
  };
}

/** Returns a header of the gateway. Its name contains the brand of the server. */
function headerOf(headers: Headers, name: string): string | null {
  for (const [header, value] of headers)
    if (new RegExp(`^x-[a-z0-9]+-${name}$`).test(header) && header !== `x-${name}`) return value;
  return null;
}
