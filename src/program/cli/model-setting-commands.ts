import { definedOf } from '../../base/lib/records.ts';
import type { AdminArguments } from '../../console/admin/admin-calls.ts';
import { callAdmin } from './call-admin.ts';
import type { Run } from './command.ts';
import { UsageError } from './command-failure.ts';
import type { Invocation } from './invocation.ts';
import { printFields } from './print-answer.ts';

/**
 * Returns the prices of a model. They replace all earlier prices, so that no price is left from another
 * vendor.
 */
function pricesOf(invocation: Invocation) {
  const input = invocation.number('input');
  const output = invocation.number('output');
  const cached = invocation.number('cached-input');
  if (input === undefined && output === undefined && cached === undefined) return undefined;
  if (input === undefined || output === undefined)
    throw new UsageError('--input and --output belong together');
  return definedOf({ input, output, cached_input: cached });
}

function routesOf(invocation: Invocation): { provider: string; model: string }[] | undefined {
  const routes = invocation.list('route') ?? [];
  if (routes.length === 0) return undefined;
  return routes.map((route) => {
    const [provider = '', ...model] = route.split('/');
    if (provider === '' || model.length === 0)
      throw new UsageError(`--route must be PROVIDER/MODEL, not '${route}'`);
    return { provider, model: model.join('/') };
  });
}

/** Returns the fields that the options set. */
function fieldsOf(invocation: Invocation) {
  const aliases = invocation.list('alias') ?? [];
  return definedOf({
    display_name: invocation.text('name'),
    plan: invocation.text('plan'),
    context_window: invocation.number('context'),
    max_output: invocation.number('max-output'),
    pricing_usd_per_mtok: pricesOf(invocation),
    routes: routesOf(invocation),
    aliases: aliases.length > 0 ? aliases : undefined,
  });
}

const idOf = (invocation: Invocation): string => invocation.required('MODEL');
const queryOf = (invocation: Invocation): { dry_run?: boolean } =>
  invocation.flag('dry-run') ? { dry_run: true } : {};

export const addModel: Run = async (invocation) => {
  const body = { id: idOf(invocation), ...fieldsOf(invocation) };
  printFields(invocation, await callAdmin(invocation, 'POST /models', { body, query: queryOf(invocation) }));
  return 0;
};

type ModelChange = AdminArguments<'PATCH /models/{id*}'>['body'];

const change = async (invocation: Invocation, body: ModelChange): Promise<number> => {
  const call = { params: { id: idOf(invocation) }, body, query: queryOf(invocation) };
  printFields(invocation, await callAdmin(invocation, 'PATCH /models/{id*}', call));
  return 0;
};

export const setModel: Run = (invocation) => change(invocation, fieldsOf(invocation));
export const hideModel: Run = (invocation) => change(invocation, { hidden: !invocation.flag('show') });

export const removeModel: Run = async (invocation) => {
  const call = { params: { id: idOf(invocation) }, query: queryOf(invocation) };
  printFields(invocation, await callAdmin(invocation, 'DELETE /models/{id*}', call));
  return 0;
};
