import { configFileOf } from '../../settings/config/environment-overrides.ts';
import { publishedCatalogSchema, publishedSchema } from '../../settings/config/published-schema.ts';
import { checkConfiguration } from './check-configuration.ts';
import type { Run } from './command.ts';
import { UsageError } from './command-failure.ts';
import { printJson } from './print-answer.ts';
import { reportChecked } from './report-checked.ts';

export const checkConfig: Run = async (invocation) => {
  const { environment } = invocation.terminal;
  const file = configFileOf(invocation.positional('FILE') ?? invocation.text('config'), environment);
  if (file === null) throw new UsageError('FILE is missing, and TOLLGATE_CONFIG is not set');
  return reportChecked(invocation, file, await checkConfiguration({ file, environment }));
};

export const printSchema: Run = async (invocation) => {
  printJson(invocation, invocation.flag('catalog') ? publishedCatalogSchema() : publishedSchema());
  return 0;
};
