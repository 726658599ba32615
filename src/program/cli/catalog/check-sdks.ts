import type { Catalog } from '../../../settings/catalog/catalog.ts';
import { CommandFailure } from '../command-failure.ts';
import type { Invocation } from '../invocation.ts';
import { printJson } from '../print-answer.ts';
import { readSdkModels, type SdkModels } from './sdk-models.ts';

/**
 * Prints the model ids of the installed SDKs that the catalog does not resolve, and resolves to the exit
 * code.
 */
export async function checkSdks(invocation: Invocation, catalog: Catalog): Promise<number> {
  const models = await readSdkModels([process.cwd(), import.meta.dirname]);
  refuseIncomplete(models);
  const missing = models.ids.filter((id) => catalog.resolve(id) === undefined);
  if (invocation.flag('json')) printJson(invocation, { ok: missing.length === 0, missing });
  else for (const id of missing) invocation.terminal.print(id);
  return missing.length === 0 ? 0 : 1;
}

/** A comparison with a part of the lists would look complete. */
function refuseIncomplete({ absent, unread }: SdkModels): void {
  if (absent.length > 0)
    throw new CommandFailure(
      `not installed: ${absent.join(', ')}; run npm install ${absent.join(' ')}, then repeat the command`,
    );
  if (unread.length > 0)
    throw new CommandFailure(`the installed version has no list of models: ${unread.join(', ')}`);
}
